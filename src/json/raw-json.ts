/** A string in its JSON encoding, encoded once and used in many responses. */

export interface RawJson {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    /** Missing in TypeScript's library. */
    rawJSON(json: string): RawJson;
  }
}

/** `JSON.stringify` writes the result verbatim. */
export const rawJsonString = (text: string): RawJson => JSON.rawJSON(JSON.stringify(text));
