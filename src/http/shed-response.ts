/** The response to a request that is shed: written straight to the socket, from parts that are constant for a second. */
import { randomUUID } from 'node:crypto';
import type { FailedOutcome } from '../exchange/outcome.ts';
import { failed, type HttpErrorName } from './http-errors.ts';
import { errorBody } from './respond.ts';
import { nextRetryAfter } from './retry-after.ts';

const placeholder = '00000000-0000-0000-0000-000000000000';

export class ShedResponse {
  readonly outcome: FailedOutcome;
  readonly #addressLimit: number;
  readonly #bodyParts: string[];
  readonly #bodyBytes: number;
  readonly #idPrefix = randomUUID().slice(0, -12);
  #count = 0;
  #head: { seconds: number; text: string } = { seconds: 0, text: '' };

  constructor(error: HttpErrorName, addressLimit: number) {
    this.outcome = failed(error);
    this.#addressLimit = addressLimit;
    const body = errorBody(this.outcome.error, placeholder);
    this.#bodyParts = body.split(placeholder);
    this.#bodyBytes = Buffer.byteLength(body);
  }

  /** Unique, in the form of a UUID; a random one costs more than the rest of the response. */
  nextRequestId(): string {
    return this.#idPrefix + (++this.#count).toString(16).padStart(12, '0');
  }

  /** The bucket of the address is not read. The headers say what Retry-After says: send nothing for now. */
  text(requestId: string, closes: boolean, hasBody: boolean, nowMs: number): string {
    const seconds = Math.floor(nowMs / 1000);
    if (this.#head.seconds !== seconds) this.#head = { seconds, text: this.#constantHead(seconds) };
    const retryAfter = nextRetryAfter();
    const connection = closes ? '\r\nConnection: close' : '';
    const [before, after] = this.#bodyParts;
    const body = hasBody ? `${before}${requestId}${after}` : '';
    return `${this.#head.text}X-RateLimit-Reset: ${seconds + 1 + retryAfter}\r\nRetry-After: ${retryAfter}\r\nX-Request-Id: ${requestId}${connection}\r\n\r\n${body}`;
  }

  #constantHead(seconds: number): string {
    return [
      'HTTP/1.1 503 Service Unavailable',
      `Date: ${new Date(seconds * 1000).toUTCString()}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${this.#bodyBytes}`,
      `X-RateLimit-Limit: ${this.#addressLimit}`,
      'X-RateLimit-Remaining: 0',
      '',
    ].join('\r\n');
  }
}
