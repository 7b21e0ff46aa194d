/** A worker that drains in overload: no request waits, because the server would close its connection as idle. */
import { expect, test } from '@jest/globals';
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
