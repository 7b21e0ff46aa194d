/** Calls partners over HTTP: bounded in number, in time and in the size of responses. Adapters do no I/O of their own. */
import { freeBytes } from '../bytes/free-bytes.ts';
import type { ConnectOptions } from '../http-client/connection.ts';
import type { Failure, HttpCall } from '../http-client/http-call.ts';
import { HttpClient, type PreparedRequest } from '../http-client/http-client.ts';
import type { Connection } from '../http-client/connection.ts';
import { isCostlyGzip } from '../gzip/gunzip.ts';
import { largeBytes } from '../pacing/pacer.ts';
import { type BidderCall, isFurtherCall } from './adapter.ts';
import type { Cancellation, CancelReason } from './cancellation.ts';
import { decodeResponse, decodeText, maxResponseBytes } from './decode-response.ts';
import { LargeResponses } from './large-responses.ts';
import type { PartnerResult } from './partner-result.ts';

/** How a call ended: `bid` with the parsed body of a 200, whatever the adapter will find in it; without one if no auction needs it any more. */
export interface PartnerResponse {
  result: PartnerResult;
  body?: unknown;
  /** Size of the body as parsed. */
  bytes?: number;
  /** The status of an `error`; absent if the connection broke. */
  status?: number;
  /** Why there is no response, for the report of test mode. */
  explain?: () => string;
}

/** Resolves when the partner has responded or when `cancellation` happens, whichever is first. Rejects only for a defect. */
export type CallPartner = (call: BidderCall, cancellation: Cancellation, isTest: boolean) => Promise<PartnerResponse>;

/** Connections to one partner per worker. Further calls are skipped, not queued. */
const maxConnections = 256;
/** Those that further calls of an auction may use. */
const maxFurther = maxConnections / 2;

/** When the large responses of a partner are parsed. Clients take turns, so that nobody waits for the responses to another one's requests. */
export interface ResponseTurns {
  /** Resolves when it is the turn of a response; false if it is to be given up. */
  turn: (client: string | undefined) => Promise<boolean>;
  /** Whether another large response is likely to wait in vain. */
  isLate: (client: string | undefined) => boolean;
}

/** Calls one partner over its own connections. Its large responses wait for their turn. */
export function createCallPartner(turns: ResponseTurns, connect: ConnectOptions = {}): CallPartner {
  const client = new HttpClient(connect);
  const load = { inFlight: 0 };
  const large = new LargeResponses();
  return async (call, cancellation) => {
    const { method, url, headers, traceHeaders, body, maxBytes = maxResponseBytes } = call;
    if (load.inFlight >= (isFurtherCall(call) ? maxFurther : maxConnections)) return skipped;
    if (large.isExpected(call.client) && turns.isLate(call.client)) return expectedLarge;
    const request = client.prepare({ method, url, headers, ownHeaders: traceHeaders, body });
    const httpCall = new PartnerHttpCall(request, load, cancellation, maxBytes, (isLarge) => {
      large.received(call.client, isLarge);
      return isLarge ? turns.turn(call.client) : undefined;
    });
    const ending = await httpCall.send();
    if (ending !== 'complete') return httpCall.failure(ending);
    if (cancellation.isAbandoned) return unread;
    return httpCall.decode();
  };
}

const skipped: PartnerResponse = { result: 'skipped', explain: () => 'It has too many calls in progress.' };
const noTurn = () => 'The worker was too busy to read its large response.';
const expectedLarge: PartnerResponse = {
  result: 'skipped',
  explain: () => 'The worker is too busy for large responses, which it often sends for this client.',
};
const exhausted: PartnerResponse = {
  result: 'skipped',
  explain: () => 'The worker had no file descriptor or port left to connect with.',
};
const unread: PartnerResponse = { result: 'bid' };

/** Why a call has no response that can be read. The duration of the call is enough for the others. */
const reasons: Partial<Record<PartnerResult, string>> = {
  error: 'No connection to it could be opened, or it broke before the response was complete.',
  invalid: 'Its response exceeds the limits of size.',
};

/** `skipped`: the response was received, but the worker has no time for it. `exhausted`: the worker has no connection for the call. */
type Ending = 'complete' | 'no_bid' | 'error' | 'invalid' | 'skipped' | 'exhausted' | CancelReason;

/** A body was received that is needed. Returns the turn that it waits for, if it is large. */
type OnBody = (isLarge: boolean) => Promise<boolean> | undefined;

/** One HTTP request and its response: the callbacks of the client settle a promise. */
class PartnerHttpCall implements HttpCall {
  readonly text: string;
  readonly encoding: 'latin1' | 'utf8';
  readonly maxBytes: number;
  connection: Connection | undefined;
  readonly #pool: PreparedRequest['pool'];
  readonly #load: { inFlight: number };
  readonly #cancellation: Cancellation;
  readonly #onBody: OnBody;
  #settle!: (ending: Ending) => void;
  /** Sent, and neither ended nor cancelled. */
  #isInFlight = false;
  /** The status that made the call an `error`. */
  #errorStatus: number | undefined;
  #isGzip = false;
  /** It waits for its turn. */
  #isLarge = false;
  /** The body: as text if it is plain and parsed at once. */
  #body: Buffer | string = '';
  #bytes = 0;

  constructor(
    { pool, text, encoding }: PreparedRequest,
    load: { inFlight: number },
    cancellation: Cancellation,
    maxBytes: number,
    onBody: OnBody,
  ) {
    this.text = text;
    this.encoding = encoding;
    this.maxBytes = maxBytes;
    this.#pool = pool;
    this.#load = load;
    this.#cancellation = cancellation;
    this.#onBody = onBody;
  }

  get needsBody(): boolean {
    return !this.#cancellation.isAbandoned;
  }

  /** Resolves as soon as it is known how the call ends. */
  send(): Promise<Ending> {
    const { reason } = this.#cancellation;
    if (reason !== undefined) return Promise.resolve(reason);
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#isInFlight = true;
      this.#load.inFlight++;
      this.#pool.send(this);
      this.#cancellation.onCancel((cancelledAs) => this.#cancel(cancelledAs));
    });
  }

  onResponse(status: number, isGzip: boolean, bytes: Buffer, start: number, end: number): void {
    this.#leave();
    if (status === 204) return this.#settle('no_bid');
    if (status !== 200) return this.#fail(status);
    this.#isGzip = isGzip;
    this.#bytes = end - start;
    if (!this.needsBody) return this.#settle('complete');
    this.#isLarge = isGzip ? isCostlyGzip(bytes.subarray(start, end), largeBytes) : this.#bytes > largeBytes;
    this.#body = isGzip || this.#isLarge ? Buffer.from(bytes.subarray(start, end)) : bytes.toString('utf8', start, end);
    const turn = this.#onBody(this.#isLarge);
    if (turn) void turn.then((isTurn) => this.#settle(isTurn ? 'complete' : 'skipped'));
    else this.#settle('complete');
  }

  onFailure(failure: Failure, status?: number): void {
    this.#leave();
    if (failure === 'excessive') this.#settle('invalid');
    else if (failure === 'exhausted') this.#settle('exhausted');
    else this.#fail(status);
  }

  decode(): PartnerResponse {
    const body = this.#body;
    if (typeof body === 'string') return decodeText(body, this.#bytes);
    // Compressed data that says it is small must be.
    const maxBytes = this.#isLarge ? this.maxBytes : Math.min(this.maxBytes, largeBytes);
    const response = decodeResponse(body, this.#isGzip, maxBytes);
    freeBytes(body);
    return response;
  }

  failure(result: Exclude<Ending, 'complete'>): PartnerResponse {
    if (result === 'exhausted') return exhausted;
    if (result === 'skipped') return { result, explain: noTurn };
    const status = this.#errorStatus;
    if (status !== undefined) return { result, status, explain: () => `It responded with status ${status}.` };
    const reason = reasons[result];
    return reason === undefined ? { result } : { result, explain: () => reason };
  }

  /** A response that waits for its turn is given up; its partner has done its part. */
  #cancel(reason: CancelReason): void {
    if (!this.#isInFlight) return this.#settle('skipped');
    this.#leave();
    this.#pool.cancel(this);
    this.#settle(reason);
  }

  #fail(status: number | undefined): void {
    this.#errorStatus = status;
    this.#settle('error');
  }

  #leave(): void {
    this.#isInFlight = false;
    this.#load.inFlight--;
  }
}
