/** In overload, pipelined requests have no advantage over those of clients that wait for their responses. */
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import type { Outcome } from '../../src/exchange/outcome.ts';
import { EventLoopClock } from '../../src/overload/event-loop-clock.ts';
import { message, open, start, startFull, statuses } from '../support/held-exchange.ts';
import { until } from '../support/until.ts';

test('those behind a request that waits wait with it, and are shed in their order', async () => {
  const { port, exchange } = await start();
  const client = await open(port);
  client.socket.write(message('a') + message('b') + message('c'));
  await until('all responses have arrived', () => statuses(client).length === 3);
  expect(statuses(client)).toEqual(['503', '503', '503']);
  expect(exchange.outcomes).toHaveLength(3);
});

test('those behind a request that waits start with it, and keep their order', async () => {
  const { port, control } = await start();
  control.free = Infinity;
  const client = await open(port);
  client.socket.write(message('a') + message('b'));
  await until('both responses have arrived', () => statuses(client).length === 2);
  expect(statuses(client)).toEqual(['400', '400']);
});

/** The first of two pipelined requests has got its response, when the worker has become overloaded. */
async function startPipelined(free: number) {
  const auction = Promise.withResolvers<Outcome>();
  let auctions = 0;
  const handleBidRequest = () => (auctions++, auction.promise);
  const { port, control, exchange } = await start(new EventLoopClock(), { handleBidRequest });
  control.holdsRequests = false;
  control.free = Infinity;
  const client = await open(port);
  client.socket.write(message('a') + message('b'));
  await until('the first auction runs', () => auctions === 1);
  control.holdsRequests = true;
  control.free = free;
  const ended = new Promise((resolve) => client.socket.once('close', resolve)); // with an error, too
  auction.resolve({ kind: 'no_bid' });
  return { client, exchange, ended, auctions: () => auctions };
}

test('one that is next on its connection waits for its turn', async () => {
  const { client, auctions } = await startPipelined(Infinity);
  await until('both responses have arrived', () => statuses(client).length === 2);
  expect(statuses(client)).toEqual(['204', '204']);
  expect(auctions()).toBe(2);
});

test('one that is next on its connection, and waits too long, loses the connection', async () => {
  const { client, exchange, ended, auctions } = await startPipelined(0);
  await ended;
  await until('it is recorded', () => exchange.outcomes.length === 2);
  expect(statuses(client)).toEqual(['204']);
  expect(auctions()).toBe(1);
  expect(exchange.cut).toEqual(['pipeline']);
  expect(exchange.outcomes[1]).toMatchObject({ error: { name: 'http.clientClosed' } });
});

test.each([
  ['starts', start, Infinity, '400'],
  ['waits too long', start, 0, '503'],
  ['finds no room', startFull, 0, '503'],
])(
  'what follows a request with Upgrade that %s is lost, so that the connection closes',
  async (_, begin, free, status) => {
    const { control, port } = await begin();
    control.free = free;
    const client = await open(port);
    client.socket.write(message('a', ['Connection: Upgrade', 'Upgrade: h2c']) + message('b'));
    await once(client.socket, 'close');
    expect(statuses(client)).toEqual([status]);
    expect(client.received()).toMatch(/^Connection: close\r$/m);
  },
);
