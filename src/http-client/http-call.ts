/** The port between the HTTP client and its caller: a request as it is sent, and what becomes of it. */
import type { Connection } from './connection.ts';

/** `excessive`: the response exceeds a limit. `broken`: there is no response that HTTP allows, or none whose body is read. `exhausted`: this machine has nothing left to connect with. */
export type Failure = 'broken' | 'excessive' | 'exhausted';

/** One of `onResponse` and `onFailure` is called, once, unless the call is cancelled before. Neither may throw. */
export interface HttpCall {
  /** Head and body. */
  readonly text: string;
  /** `latin1` if every character of the text is ASCII: it is written without a conversion. */
  readonly encoding: 'latin1' | 'utf8';
  /** The size that the body of the response may have. */
  readonly maxBytes: number;
  /** Whether somebody still needs the body. */
  readonly needsBody: boolean;
  /** Set by the client while the call is on a connection. */
  connection: Connection | undefined;
  /** The body is `bytes` from `start` to `end`. They are overwritten after the call. */
  onResponse(status: number, isGzip: boolean, bytes: Buffer, start: number, end: number): void;
  /** With the status of the response if that is why its body is not read: only that of a 200 is. */
  onFailure(failure: Failure, status?: number): void;
}
