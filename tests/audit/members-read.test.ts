/** The audit's samples are complete: every member of a message that the exchange reads is a part that the audit covers. */
import { afterEach, expect, test } from '@jest/globals';
import { findParts, partName } from '../../load/audit/parts.ts';
import { sampledParts } from '../../load/audit/request-cases.ts';
import {
  redactedRequest,
  sampleBidResponse,
  sampleBidResponses,
  sampleProducts,
  sampleRequests,
} from '../../load/audit/samples.ts';
import { createInProcess } from './exchange-in-process.ts';

const parse = JSON.parse;
afterEach(() => {
  JSON.parse = parse;
});

/** Members that any object may be asked for. */
const ofEveryObject = new Set([
  'toJSON',
  'then',
  'constructor',
  'prototype',
  '__proto__',
  'hasOwnProperty',
  'isPrototypeOf',
]);

/** A view of parsed JSON that adds the path of every member read to `read`. */
function recording(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const views = new Map<string | symbol, unknown>();
  return new Proxy(value, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof name === 'symbol' || ofEveryObject.has(name)) return member;
      if (Array.isArray(target) && !/^\d+$/.test(name)) return member;
      const step = Array.isArray(target) ? `${path}[]` : `${path}${/[.}\]\w]$/.test(path) ? '.' : ''}${name}`;
      read.add(step);
      if (!views.has(name)) views.set(name, recording(member, step, read));
      return views.get(name);
    },
  });
}

/** Reads of the exchange while it handles a request; texts inside the messages have the path of their member. */
async function readsOf(request: object): Promise<Record<'request' | 'bids' | 'products', Set<string>>> {
  const reads = { request: new Set<string>(), bids: new Set<string>(), products: new Set<string>() };
  const texts = {
    request: JSON.stringify(request),
    bids: JSON.stringify(sampleBidResponse),
    products: JSON.stringify(sampleProducts),
  };
  JSON.parse = (text: string) => {
    const value: unknown = parse(text);
    if (text === texts.request) return recording(value, '', reads.request);
    if (text === texts.bids) return recording(value, '', reads.bids);
    if (text === texts.products) return recording(value, '', reads.products);
    const isMarkup = text === sampleBidResponse.seatbid[0]!.bid[0]!.adm;
    const path = isMarkup ? 'seatbid[].bid[].adm{}' : 'imp[].native.request{}';
    return recording(value, path, isMarkup ? reads.bids : reads.request);
  };
  await createInProcess()(texts);
  return reads;
}

const namesOf = (samples: readonly object[]): Set<string> => new Set(findParts(undefined, samples).map(partName));

test('every member that the exchange reads is audited', async () => {
  const audited = {
    request: new Set(sampledParts().map(({ part }) => partName(part))),
    bids: namesOf(sampleBidResponses),
    products: namesOf([sampleProducts]),
  };
  const missing = new Set<string>();
  let total = 0;
  for (const request of [...sampleRequests, redactedRequest, { ...sampleRequests[0], test: 1 }]) {
    for (const [kind, reads] of Object.entries(await readsOf(request))) {
      total += reads.size;
      for (const path of reads) if (!audited[kind as keyof typeof audited].has(path)) missing.add(`${kind}: ${path}`);
    }
  }
  expect([...missing]).toEqual([]);
  expect(total).toBeGreaterThan(100);
});
