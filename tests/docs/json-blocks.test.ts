/** The JSON blocks of the documents: they parse, and the requests among them are valid. */
import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { isObject } from '../../src/json/guards.ts';
import { validateBidRequest } from '../../src/openrtb/validate-bid-request.ts';
import { alpha } from '../../src/sandbox/bidder/alpha.ts';
import { beta } from '../../src/sandbox/bidder/beta.ts';
import { type Bidder, prepareBidResponse } from '../../src/sandbox/bidder/prepare-bid-response.ts';

const root = new URL('../../', import.meta.url);
const documents = ['README.md', ...readdirSync(new URL('docs', root)).map((name) => `docs/${name}`)];

const readBlocks = (document: string): unknown[] =>
  [...readFileSync(new URL(document, root), 'utf8').matchAll(/```json\n(.*?)\n```/gs)].map(
    ([, block]) => JSON.parse(block!) as unknown,
  );

describe.each(documents.filter((name) => name.endsWith('.md')))('%s', (document) => {
  test('has JSON blocks that parse, and requests that are valid', () => {
    const requests = readBlocks(document).filter((block) => isObject(block) && 'imp' in block);
    const invalid = requests.filter((request) => 'error' in validateBidRequest(request));
    // The example of an invalid request in test mode.
    expect(invalid.map((request) => (request as { id: string }).id)).toEqual(
      document === 'docs/rules.md' ? [expect.stringMatching(/^all-errors-at-once-/)] : [],
    );
  });
});

describe('docs/prebid-server.md', () => {
  test('its response is the highest bid of the sandbox for its request', () => {
    const [request, response] = readBlocks('docs/prebid-server.md') as [{ imp: object[] }, BidResponse];
    const bids = [alpha, beta].map((bidder) => bidOf(bidder, request)).sort((a, b) => b.price - a.price);
    expect(bids[0]).toMatchObject(response.seatbid[0]!.bid[0]!);
  });
});

interface BidResponse {
  seatbid: { bid: { price: number }[] }[];
}

function bidOf(bidder: Bidder, request: object): { price: number } {
  const { body } = prepareBidResponse(bidder, JSON.stringify(request)).respond();
  return (JSON.parse(body!) as BidResponse).seatbid[0]!.bid[0]!;
}
