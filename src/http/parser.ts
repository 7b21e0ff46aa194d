/** The parser of node:http, as far as the exchange relies on it. Tests in tests/http fail if a version of Node.js changes it. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ChunkedBody } from './chunked-body.ts';
import type { BodyError } from './read-body.ts';
import type { RequestContext } from './request-context.ts';

export type ParsedRequest = IncomingMessage & {
  /** Set by node:http once nobody reads the body. */
  _dumped?: boolean;
  chunkError?: BodyError;
  context?: Pick<RequestContext, 'bodyReceiver'>;
};

/** It keeps its listeners under numbers, which are properties of `HTTPParser`. */
export const kOnBody = 3;
export const kOnMessageComplete = 4;
/** Called after every read. */
export const kOnExecute = 5;

export interface Parser {
  [listener: number]: unknown;
  /** Parses no further than the current read. For each later one, `kOnExecute` gets an error with the code `HPE_PAUSED`. */
  pause(): void;
  /** Ends a pause. */
  resume(): void;
  /** Parses bytes as if they had been read. Returns their number or an error. */
  execute(bytes: Buffer): unknown;
  /** A copy of what was read, as long as it is parsed. */
  getCurrentBuffer(): Buffer;
  /** Both are undefined between connections. */
  socket?: Socket | null;
  incoming?: ParsedRequest | null;
  /** Reads that have ended in the head of the next request so far: the first may have begun in an earlier one. */
  headReads?: number;
  /** The bytes of the others. */
  headBytes?: number;
  /** Whether a request was complete at the end of what has been parsed of this read. */
  isBetweenRequests?: boolean;
  /** What listens for the bytes of bodies, unless they are dropped or decoded. */
  reportBody?: ReportBody;
  /** The current body, if it is chunked and somebody may read it. */
  chunkedBody?: ChunkedBody | undefined;
  /** A copy of what was read, while it is parsed, if a chunked body needs it. */
  read?: Buffer | undefined;
  /** Those of its bytes that are being parsed: all, or what follows a pause. */
  unparsed?: Buffer | undefined;
  /** The chunks in what was read at once. */
  readChunks?: number;
}

export type ReportBody = (this: Parser, bytes: Buffer) => unknown;

/** What the listener for headers returns to stop before the body: `kOnExecute` then gets an error with the code `HPE_PAUSED`, and knows where the body begins. */
export const pauseParsing = 21;

interface Pause {
  /** How many bytes of the read come before the pause, if a listener for headers asked for it. */
  bytesParsed: number;
}

/** Whether a read ended because the parser was paused. */
export const isPause = (parsed: unknown): parsed is Pause =>
  typeof parsed === 'object' && parsed !== null && 'code' in parsed && parsed.code === 'HPE_PAUSED';
