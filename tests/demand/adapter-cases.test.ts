/** Runs every case of tests/demand/cases against its adapter. Every adapter must have its own folder and cases. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { type Auction, type BidderCall, InvalidResponse, type UncheckedBid } from '../../src/demand/adapter.ts';
import { adapters } from '../../src/demand/registry.ts';
import { checkNativeResponse } from '../../src/openrtb/check-native-response.ts';
import {
  type AdapterCase,
  casesFolder,
  type ExpectedCall,
  readAdapterCases,
  type Requested,
  readResponses,
  requestBids,
} from '../support/adapter-case.ts';
import { expand } from '../support/case-file.ts';
import { expectMatch } from '../support/match-body.ts';

const adapterNames = Object.keys(adapters).toSorted();

describe.each(adapterNames)('%s', (adapter) => {
  test.each(readAdapterCases(adapter).map((one) => [one.name, one] as const))('%s', (_name, one) => {
    expect(one.settings).toMatchObject({ adapter });
    check(one);
  });
});

describe('an adapter is one folder, one folder of cases and one line', () => {
  const demandFolder = fileURLToPath(new URL('../../src/demand', import.meta.url));

  test('every adapter of the registry has a folder, and every folder is an adapter', () => {
    expect(foldersIn(demandFolder)).toEqual(adapterNames);
    expect(foldersIn(casesFolder)).toEqual(adapterNames);
  });

  test.each(adapterNames)('%s has at least ten cases, each named after the expected behaviour', (adapter) => {
    const names = readAdapterCases(adapter).map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(10);
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(name))).toEqual([]);
  });
});

function check(one: AdapterCase): void {
  const { expected, responses, bids: expectedBids } = one;
  const requested = requestBids(one);
  const calls = requested.calls === 'local' ? 'local' : requested.calls.map(toExpectedCall);
  expect(calls).toStrictEqual(expand(expected.calls));
  if (expectedBids !== 'invalid') checkWhy(one, requested);
  if (expectedBids === undefined) return;

  expect(responses ?? []).toHaveLength(calls === 'local' ? 0 : calls.length);
  const bids = readResponses(requested, responses);
  if (bids instanceof InvalidResponse) {
    expect({ bids: 'invalid', why: bids.explain() }).toEqual({ bids: expectedBids, why: one.why });
    return;
  }
  expectMatch(bids, expectedBids, 'bids');
  for (const bid of bids) if (bid.trustedAdm) expectValidMarkup(bid, requested.auction);
}

/** Local demand always explains why it does not bid. */
function checkWhy({ why, bids, responses }: AdapterCase, { bidder, auction, calls }: Requested): void {
  const reason = bidder.explainNoBid?.(auction, expand(responses?.[0])) ?? null;
  const explained = typeof reason === 'string' ? reason : (reason?.text ?? null);
  if (why !== undefined) expect(explained).toBe(why);
  if (calls === 'local' && bids?.length === 0) expect(explained).toMatch(/^(Impression .+: .+|No impression .+)\.$/);
}

/** The call that the partner receives, and the parameters that are logged. */
function toExpectedCall({ method, url, headers, body, ignoredParams = [] }: BidderCall): ExpectedCall {
  return {
    method,
    url,
    headers,
    ...(body !== undefined && { body: JSON.parse(body) as unknown }),
    ...(ignoredParams.length > 0 && { ignoredParams: [...ignoredParams] }),
  };
}

/** The auction does not check markup that an adapter built, so it is checked here. */
function expectValidMarkup({ impid, adm }: UncheckedBid, { impressions }: Auction): void {
  const impression = impressions.find(({ imp }) => imp.id === impid)!;
  expect(checkNativeResponse(adm, impression, false)).toEqual({ adm, repairs: [] });
}

function foldersIn(path: string): string[] {
  const folders = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).toSorted();
}
