/** Calls to a partner that end when the test says so. Keeps the contract of the real ones. */
import type { BidderCall } from '../../src/demand/adapter.ts';
import type { CallPartner, PartnerResponse } from '../../src/demand/call-partner.ts';
import type { Cancellation, CancelReason } from '../../src/demand/cancellation.ts';
import type { PartnerResult } from '../../src/demand/partner-result.ts';

export const callOf = (url: string): BidderCall => ({ method: 'GET', url, headers: {}, impressions: [] });

/** One call: ends once, by its response or by its cancellation. */
export class FakeCall {
  readonly call: BidderCall;
  readonly response: Promise<PartnerResponse>;
  cancelledAs: CancelReason | undefined;
  #settle!: (response: PartnerResponse) => void;
  #reject!: (defect: Error) => void;
  #ended = false;

  constructor(call: BidderCall, cancellation: Cancellation) {
    this.call = call;
    this.response = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#reject = reject;
    });
    cancellation.onCancel((reason) => {
      if (this.#ended) return;
      this.cancelledAs = reason;
      this.respond(reason);
    });
  }

  respond(result: PartnerResult, body?: unknown): void {
    this.respondWith(body === undefined ? { result } : { result, body, bytes: 1 });
  }

  respondWith(response: PartnerResponse): void {
    this.#ended = true;
    this.#settle(response);
  }

  /** Ends the call as a response with a status other than 200 and 204 does. */
  respondWithStatus(status: number): void {
    this.respondWith({ result: 'error', status });
  }

  fail(defect: Error): void {
    this.#ended = true;
    this.#reject(defect);
  }
}

export class FakeCallPartner {
  readonly calls: FakeCall[] = [];
  /** If set, calls end with this response immediately. */
  immediately: PartnerResponse | undefined;

  readonly callPartner: CallPartner = (call, cancellation) => {
    const made = new FakeCall(call, cancellation);
    this.calls.push(made);
    if (this.immediately) made.respond(this.immediately.result, this.immediately.body);
    return made.response;
  };

  get urls(): string[] {
    return this.calls.map(({ call }) => call.url);
  }
}
