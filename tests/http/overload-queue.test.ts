/** How many requests wait in overload. */
import { expect, test } from '@jest/globals';
import { message, open, start, statuses } from '../support/held-exchange.ts';
import { standingClock } from '../support/standing-clock.ts';
import { until } from '../support/until.ts';

test.each([
  ['30 ms', false, 6],
  ['60 ms where connections are accepted first', true, 12],
])('as many as the worker serves in %s', async (_time, acceptsFirst, expected) => {
  const { control, port } = await start(standingClock().clock);
  Object.assign(control, { acceptsFirst, throughput: 0.2 });
  const clients = await Promise.all(Array.from({ length: expected + 3 }, () => open(port)));
  for (const { socket } of clients) socket.write(message('a'));
  const shed = () => clients.filter((client) => statuses(client)[0] === '503');
  await until('three requests are shed', () => shed().length >= 3);
  await until('the others wait', () => control.waiting === expected);
  expect(shed()).toHaveLength(3);
});
