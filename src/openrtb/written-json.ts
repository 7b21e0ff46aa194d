/** A text as JSON has it, quoted and escaped: what goes into many answers is written once. */

export interface WrittenJson {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    /** Not in TypeScript's library yet. */
    rawJSON(json: string): WrittenJson;
  }
}

/** `JSON.stringify` takes it over as it is. */
export const writeText = (text: string): WrittenJson => JSON.rawJSON(JSON.stringify(text));
