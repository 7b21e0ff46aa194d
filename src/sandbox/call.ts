/** One call on a partner once it is understood: everything that could be answered to it, whatever its fate. */

export interface Reply {
  status: number;
  /** JSON text; none with 204. */
  body?: string;
}

export interface Call {
  /** The name by which its fate is decided. */
  key: string;
  answer(): Reply;
  /** The answer of a partner that has nothing. */
  nothing: Reply;
  /** JSON text that is well formed and still not the answer to this call. */
  misfit(): string;
}

/** Thrown where a call cannot be understood; its message is the caller's to read. */
export class BadInput extends Error {}
