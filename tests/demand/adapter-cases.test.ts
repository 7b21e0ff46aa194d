/** Every case of tests/demand/cases, held against its adapter; and every adapter has its folder and its cases. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { Auction, HttpCall, UncheckedBid } from '../../src/demand/adapter.ts';
import { adapters } from '../../src/demand/registry.ts';
import { checkNativeResponse } from '../../src/openrtb/check-native-response.ts';
import {
  type AdapterCase,
  casesFolder,
  type ExpectedCall,
  readAdapterCases,
  readAnswers,
  startTalk,
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

describe('adding an adapter is one folder, one folder of cases, one line', () => {
  const demandFolder = fileURLToPath(new URL('../../src/demand', import.meta.url));

  test('every adapter of the registry has a folder, and every folder is an adapter', () => {
    expect(foldersIn(demandFolder)).toEqual(adapterNames);
    expect(foldersIn(casesFolder)).toEqual(adapterNames);
  });

  test.each(adapterNames)('%s has ten cases or more, each named by its claim', (adapter) => {
    const names = readAdapterCases(adapter).map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(10);
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(name))).toEqual([]);
  });
});

function check(one: AdapterCase): void {
  const { expected, answers, bids: expectedBids } = one;
  const talk = startTalk(one);
  const calls = talk.calls === 'local' ? 'local' : talk.calls.map(onTheWire);
  expect(calls).toStrictEqual(expand(expected.calls));
  if (expectedBids === undefined) return;

  expect(answers ?? []).toHaveLength(calls === 'local' ? 0 : calls.length);
  const bids = readAnswers(talk, answers);
  if (bids === 'invalid' || expectedBids === 'invalid') {
    expect(bids).toBe(expectedBids);
    return;
  }
  expectMatch(bids, expectedBids, 'bids');
  for (const bid of bids) if (bid.built) expectSound(bid, talk.auction);
}

/** What a partner would see of a call. */
function onTheWire({ method, url, headers, body }: HttpCall): ExpectedCall {
  return { method, url, headers, ...(body !== undefined && { body: JSON.parse(body) as unknown }) };
}

/** The auction takes an answer that an adapter built without a check, so here it gets the one that partners get. */
function expectSound({ impid, adm }: UncheckedBid, { impressions }: Auction): void {
  const { native, form } = impressions.find(({ imp }) => imp.id === impid)!;
  expect(checkNativeResponse(adm as string, native, form)).toBe(adm);
}

function foldersIn(path: string): string[] {
  const folders = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).toSorted();
}
