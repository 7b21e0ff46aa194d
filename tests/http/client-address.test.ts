/** The address that a request is charged to: the client's, as reported by trusted proxies. */
import { expect, test } from '@jest/globals';
import { addressKey, createReadAddress } from '../../src/http/client-address.ts';
import { startExchange } from '../support/run-case.ts';
import { keptBytes } from '../support/heap.ts';
import { sendCase } from '../support/send-case.ts';
import type { ExchangeOptions } from '../support/test-exchange.ts';

/** Whether two requests with these X-Forwarded-For share a bucket: it has one token, so the second one gets 429. */
async function sameBucket(
  first: string,
  second: string,
  trustProxy: ExchangeOptions['trustProxy'] = 'loopback',
): Promise<boolean> {
  const { server } = await startExchange({ limits: { ip: 1 }, trustProxy });
  try {
    const statuses: number[] = [];
    for (const forwarded of [first, second]) {
      const headers = { 'x-forwarded-for': forwarded };
      statuses.push((await sendCase(server, { method: 'GET', path: '/', headers })).status);
    }
    expect(statuses[0]).toBe(404);
    return statuses[1] === 429;
  } finally {
    server.close();
  }
}

test.each([
  ['two IPv4 addresses have two buckets', '203.0.113.1', '203.0.113.2', false],
  ['an IPv4 address shares the bucket of its IPv4-mapped IPv6 address', '203.0.113.1', '::ffff:203.0.113.1', true],
  ['addresses in one IPv6 /56 share a bucket', '2001:db8:0:1::1', '2001:db8:0:ff::2', true],
  ['addresses in two IPv6 /56 have two buckets', '2001:db8:0:1::1', '2001:db8:0:100::1', false],
  ['addresses that the client forged are ignored', '198.51.100.1, 203.0.113.1', '198.51.100.2, 203.0.113.1', true],
  ['malformed addresses share the bucket of the proxy', 'unknown', 'malformed', true],
])('%s', async (_what, first, second, same) => {
  expect(await sameBucket(first, second)).toBe(same);
});

test('a peer that is not trusted cannot choose its address', async () => {
  expect(await sameBucket('203.0.113.1', '203.0.113.2', 0)).toBe(true);
  expect(await sameBucket('203.0.113.1', '203.0.113.2', '10.0.0.0/8')).toBe(true);
});

test('with two trusted hops the address before the last proxy is used', async () => {
  expect(await sameBucket('203.0.113.1, 10.0.0.1', '203.0.113.1, 10.0.0.2', 2)).toBe(true);
  expect(await sameBucket('203.0.113.1, 10.0.0.1', '203.0.113.2, 10.0.0.1', 2)).toBe(false);
});

test('keys are the same the second time, when they come from the cache', () => {
  for (const address of ['203.0.113.1', '::ffff:203.0.113.1', '2001:db8:0:1::1']) {
    expect(addressKey(address)).toBe(addressKey(address));
  }
  expect(addressKey('::ffff:203.0.113.1')).toBe('203.0.113.1');
});

test('an empty X-Forwarded-For means the proxy that sent it, not the one that sent the last', () => {
  const readAddress = createReadAddress((address) => address.startsWith('10.'));
  const read = (remoteAddress: string) =>
    readAddress({ socket: { remoteAddress }, headers: { 'x-forwarded-for': '' } } as never);
  for (const proxy of ['10.0.0.1', '10.0.0.2']) expect(read(proxy)).toBe(proxy);
});

test('of a long X-Forwarded-For only the end is read, whose addresses decide', () => {
  const checked: string[] = [];
  const readAddress = createReadAddress((address) => {
    checked.push(address);
    return address.startsWith('127.');
  });
  const read = (forwarded: string) =>
    readAddress({ socket: { remoteAddress: '127.0.0.1' }, headers: { 'x-forwarded-for': forwarded } } as never);
  const forged = '127.0.0.1,'.repeat(1_500);
  expect(read(`${forged}203.0.113.1`)).toBe('203.0.113.1');
  expect(read(`${forged}203.0.113.1,127.0.0.2`)).toBe('203.0.113.1');
  checked.length = 0;
  expect(read(`203.0.113.9,${forged}127.0.0.1`)).toBe('127.0.0.1');
  expect(checked.length).toBeLessThanOrEqual(102);
});

test('an address that is known holds no more memory than itself, however long its header was', () => {
  const readAddress = createReadAddress((address) => address === '127.0.0.1');
  const bytes = keptBytes(() => {
    for (let index = 0; index < 2_000; index++) {
      const forwarded = JSON.parse(`"${'x'.repeat(15_000)}, 2001:db8:${index.toString(16)}:1:1:1:1:1"`) as string;
      const headers = { 'x-forwarded-for': forwarded };
      const socket = { remoteAddress: '127.0.0.1' };
      readAddress({ headers, socket, connection: socket } as unknown as Parameters<typeof readAddress>[0]);
    }
  });
  expect(bytes).toBeLessThan(10_000_000); // the headers have 30 MB
});
