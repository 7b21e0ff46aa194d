/** A text as JSON has it, quoted and escaped: what goes into many answers is written once. */

export interface RawJson {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    /** Not in TypeScript's library yet. */
    rawJSON(json: string): RawJson;
  }
}

/** `JSON.stringify` takes it over as it is. */
export const rawJsonString = (text: string): RawJson => JSON.rawJSON(JSON.stringify(text));
