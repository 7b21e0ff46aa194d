/** Whole bid requests: parsed, validated, redacted, targeted and passed to partners of every adapter. */
import type { HandleBidRequest } from '../../../src/exchange/handle-bid-request.ts';
import { notJson, parseJson } from '../../../src/json/parse-json.ts';
import { describeJsonError } from '../../../src/json/describe-json-error.ts';
import { titleRequest } from '../../support/auction-exchange.ts';
import { fullRequest } from '../../support/full-request.ts';
import { createFakeExchange } from '../fake-demand.ts';
import { mutateBytes } from '../generate/mutate-bytes.ts';
import { mutateJson } from '../generate/mutate-json.ts';
import { checkOutcome } from '../oracle.ts';
import { check, type FuzzTarget, linear } from '../target.ts';

const corpus = [
  fullRequest,
  { ...fullRequest, test: 1 },
  titleRequest({ app: { bundle: 'com.rider', keywords: 'winter boots', publisher: { id: 'pub-1' } } }),
  titleRequest({
    regs: { gdpr: 1, coppa: 1 },
    user: { id: 'u', eids: [{ source: 'x.example', uids: [{ id: '1' }] }] },
  }),
].map((request) => Buffer.from(JSON.stringify(request)));

const maxBytes = 256 * 1024;
/** A position, and what is wrong there. */
const maxProblemLength = 300;
/** Enough to fill the cache of native requests, the only one whose entries take long to compute. */
const cacheEntries = 501;

export const target: FuzzTarget = {
  weight: 6,
  maxMicros: linear(3_000, 80),
  verdicts: ['bid', 'no_bid', 'invalid', 'not JSON'],
  generate: (random) => {
    const bytes = random.pick(corpus);
    if (random.chance(0.15)) return mutateBytes(random, bytes, corpus, maxBytes);
    const maxText = random.chance(0.95) ? 500 : 100_000;
    return Buffer.from(mutateJson(random, bytes.toString(), maxText, random.chance(0.95) ? 60 : 4_000)).subarray(
      0,
      maxBytes,
    );
  },
  start: () => {
    const handle = createFakeExchange(async () => ({ result: 'no_bid' }), ['openrtb', 'product-search', 'house']);
    return {
      run: (input) => judge(input.toString(), handle),
      evictCaches: async () => {
        const native = (id: number) => JSON.stringify({ assets: [{ id, title: { len: 90 } }] });
        for (let id = 0; id < cacheEntries; id++) {
          await handle({ id: '1', imp: [{ id: '1', native: { request: native(id) } }] }, performance.now());
        }
      },
    };
  },
};

async function judge(text: string, handle: HandleBidRequest): Promise<string> {
  const body = parseJson(text);
  if (body !== notJson) return checkOutcome(await handle(body, performance.now()));
  const problem = describeJsonError(text);
  check(problem.length <= maxProblemLength, `a description of ${problem.length} characters`);
  return 'not JSON';
}
