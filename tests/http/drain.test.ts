/** A worker that drains: in overload no request waits, because the server would close its connection as idle; those that last too long are counted. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { drain } from '../../src/http/drain.ts';
import { EventLoopClock } from '../../src/overload/event-loop-clock.ts';
import { message, open, start, statuses } from '../support/held-exchange.ts';
import { until } from '../support/until.ts';

test('while the worker drains, requests that wait start, and none waits', async () => {
  let isDraining = false;
  const { port } = await start(new EventLoopClock(), { isDraining: () => isDraining });
  const [held, later] = [await open(port), await open(port)];
  held.socket.write(message('a'));
  isDraining = true;
  await until('it has its response', () => statuses(held).length === 1);
  later.socket.write(message('b'));
  await until('the other one has it, too', () => statuses(later).length === 1);
  expect([...statuses(held), ...statuses(later)]).toEqual(['400', '400']);
});

test.each([
  ['no response in time', false, 1],
  ['a response', true, 0],
])('a request with %s: the connections that are cut are counted', async (_what, responds, cut) => {
  const server = createServer((_request, response) => void (responds && response.end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    .on('error', () => {})
    .resume();
  const requested = once(server, 'request');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await requested;
  expect(await drain(server, 200)).toBe(cut);
  socket.destroy();
});
