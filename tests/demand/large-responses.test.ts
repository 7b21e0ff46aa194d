/** While the large responses of a partner wait in vain for their turn, calls that would bring more of them are not made. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createCallPartner } from '../../src/demand/call-partner.ts';
import { Cancellation } from '../../src/demand/cancellation.ts';
import { LargeResponses } from '../../src/demand/large-responses.ts';
import { type ScriptedPartner, send, startPartner } from '../support/scripted-partner.ts';
import { callOf } from './fake-call-partner.ts';

const skipped = {
  result: 'skipped',
  reason: 'The worker is too busy for large responses, which it often sends for this client.',
};

describe('a partner that sends large responses to one client', () => {
  let partner: ScriptedPartner;
  let received = 0;
  beforeAll(async () => {
    partner = await startPartner((response, _request, { url }) => {
      received++;
      const isLarge = url.includes('many');
      send(response, JSON.stringify({ text: 'x'.repeat(isLarge ? 33_000 : 100) }));
    });
  });
  afterAll(() => partner.close());
  beforeEach(() => {
    received = 0;
  });

  /** `search` is what a client's calls are for, and decides the size of the response. */
  function start() {
    const turns = {
      turn: () => Promise.resolve(true),
      isLate: (client: string | undefined) => client !== undefined && late.includes(client),
    };
    const late: string[] = [];
    const callPartner = createCallPartner(turns);
    const call = async (client: string, search: 'few' | 'many') => {
      const { url, ...rest } = callOf(partner.url);
      const bidderCall = { ...rest, url: `${url}?${search}`, client };
      const { result, explain } = await callPartner(bidderCall, new Cancellation(), false);
      return { result, ...(explain && { reason: explain() }) };
    };
    return { call, late };
  }

  test('is not called for that client while they wait in vain', async () => {
    const { call, late } = start();
    for (let calls = 0; calls < 2; calls++) await call('192.0.2.1', 'many');
    late.push('192.0.2.1');
    expect(await call('192.0.2.1', 'many')).toEqual(skipped);
    expect(received).toBe(2);
  });

  test('is called for a client that has small ones', async () => {
    const { call, late } = start();
    late.push('192.0.2.2');
    expect(await call('192.0.2.2', 'few')).toEqual({ result: 'bid' });
  });

  test('is called for a client whose own large ones do not wait', async () => {
    const { call, late } = start();
    for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2']) await call(client, 'many');
    late.push('192.0.2.1');
    expect(await call('192.0.2.2', 'many')).toEqual({ result: 'bid' });
  });

  test('is called again when they do not wait, and from then on for as long as the responses are small', async () => {
    const { call, late } = start();
    for (let calls = 0; calls < 2; calls++) await call('192.0.2.1', 'many');
    for (let calls = 0; calls < 4; calls++) expect(await call('192.0.2.1', 'few')).toEqual({ result: 'bid' });
    late.push('192.0.2.1');
    expect(await call('192.0.2.1', 'few')).toEqual({ result: 'bid' });
  });
});

describe('a large response is expected', () => {
  const shareOfLarge = (pattern: string): LargeResponses => {
    const responses = new LargeResponses();
    for (const size of pattern) responses.received('a', size === 'L');
    return responses;
  };

  test.each([
    ['', false],
    ['L', false],
    ['LL', true],
    ['sLsLsL', true],
    ['ssssLssss', false],
    ['LLLLLLLL', true],
    ['LLLLLLLLsssss', false],
  ])('after %p: %p', (pattern, isExpected) => {
    expect(shareOfLarge(pattern).isExpected('a')).toBe(isExpected);
  });

  test('only of the client that had them, and of no call without a client', () => {
    const responses = shareOfLarge('LL');
    responses.received(undefined, true);
    expect(['a', 'b', undefined].map((client) => responses.isExpected(client))).toEqual([true, false, false]);
  });

  test('of the latest thousand clients', () => {
    const responses = shareOfLarge('LL');
    for (let index = 0; index < 1_000; index++) responses.received(`client ${index}`, true);
    expect(responses.isExpected('a')).toBe(false);
  });
});
