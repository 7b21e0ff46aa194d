/** Calls to a partner that are answered when the test says so; keeps the contract of the real ones. */
import type { HttpCall } from '../../src/demand/adapter.ts';
import type { Answered, CallPartner } from '../../src/demand/call-partner.ts';
import type { PartnerResult } from '../../src/demand/partner-result.ts';

export const callOf = (url: string): HttpCall => ({ method: 'GET', url, headers: {}, impressions: [] });

/** One call: ends once, by its answer or by being aborted. */
export class FakeCall {
  readonly call: HttpCall;
  aborted = false;
  #answered: Answered | undefined;

  constructor(call: HttpCall, answered: Answered) {
    this.call = call;
    this.#answered = answered;
  }

  answer(ending: PartnerResult, body?: unknown): void {
    const answered = this.#answered;
    this.#answered = undefined;
    answered?.(ending, body);
  }

  abort(): void {
    if (!this.#answered) return;
    this.aborted = true;
    this.answer('late');
  }
}

export class FakeAsk {
  readonly calls: FakeCall[] = [];
  /** What is answered at once, before the call has returned; undefined waits for the test. */
  atOnce: [ending: PartnerResult, body?: unknown] | undefined;

  readonly ask: CallPartner = (call, answered) => {
    const made = new FakeCall(call, answered);
    this.calls.push(made);
    if (this.atOnce) made.answer(...this.atOnce);
    return () => made.abort();
  };

  get urls(): string[] {
    return this.calls.map(({ call }) => call.url);
  }
}
