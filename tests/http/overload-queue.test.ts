/** How many requests wait in overload, for how long, and before which others. */
import { expect, test } from '@jest/globals';
import type { RateLimitResult } from '../../src/limits/rate-limiter.ts';
import { EventLoopClock, processTimes } from '../../src/overload/event-loop-clock.ts';
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

test('a request does not overtake those of other clients that wait, only those of its own', async () => {
  const { control, port } = await start(standingClock().clock);
  const waiting = await open(port, '127.0.0.2');
  waiting.socket.write(message('a'));
  await until('it waits', () => control.waiting === 1);
  control.holdsRequests = false;
  const own = await open(port, '127.0.0.2');
  own.socket.write(message('b'));
  await until('it is served', () => statuses(own).length === 1);
  const other = await open(port, '127.0.0.3');
  other.socket.write(message('c'));
  await until('it waits, too', () => control.waiting === 2);
  expect([waiting, other].flatMap(statuses)).toEqual([]);
  control.free = Infinity;
  await until('both are served', () => [waiting, other].flatMap(statuses).length === 2);
});

test('a client that uses little waits for up to 200 ms, others for up to 60 ms', async () => {
  const { clock, advance } = standingClock();
  const { control, usage, port } = await start(clock);
  usage.charge('127.0.0.2', 1, clock.nowMs());
  const [light, unknown] = await Promise.all([open(port, '127.0.0.2'), open(port, '127.0.0.3')]);
  for (const { socket } of [light, unknown]) socket.write(message('a'));
  await until('both wait', () => control.waiting === 2);
  advance(60);
  await until('one is shed', () => statuses(unknown).length === 1);
  expect([statuses(light), statuses(unknown)]).toEqual([[], ['503']]);
  const turns = control.allWaiting.length;
  advance(139);
  await until('two turns have ended', () => control.allWaiting.length > turns + 1);
  expect(statuses(light)).toEqual([]);
  advance(1);
  await until('the other is shed', () => statuses(light)[0] === '503');
});

test.each([
  ['as many as a turn serves', '127.0.0.3', 4],
  ['half as many while one waits of a client that uses much less', '127.0.0.2', 2],
])('of requests that wait, %s start in one', async (_number, last, expected) => {
  const { clock } = standingClock();
  const { control, usage, port } = await start(clock);
  control.perTurn = 4;
  usage.charge('127.0.0.2', 1, clock.nowMs());
  usage.charge('127.0.0.3', 200, clock.nowMs());
  for (let sent = 1; sent <= 9; sent++) {
    const { socket } = await open(port, sent === 9 ? last : '127.0.0.3');
    socket.write(message('a'));
    await until('it waits', () => control.waiting === sent);
  }
  const turns = control.allWaiting.length;
  control.free = Infinity;
  await until('all have started', () => control.waiting === 0);
  const started = 9 - control.allWaiting.slice(turns).find((waiting) => waiting < 9)!;
  expect(started).toBe(expected);
});

test('the time in which a request waits for Redis is no queue delay of the worker', async () => {
  const times = { nowMs: 1_000, idleMs: 0 };
  const clock = new EventLoopClock({ ...processTimes, nowMs: () => times.nowMs, idleMs: () => times.idleMs });
  const asked = Promise.withResolvers<void>();
  const decided = Promise.withResolvers<RateLimitResult>();
  const decide = () => {
    asked.resolve();
    return decided.promise;
  };
  const { control, port } = await start(clock, { limiter: { decide, cachedRejection: () => undefined } });
  control.holdsRequests = false;
  const { socket } = await open(port);
  socket.write(message('a'));
  await asked.promise;
  times.nowMs += 4; // the rest of the turn
  await turnEnd(clock);
  times.nowMs += 60;
  times.idleMs += 60;
  times.nowMs += 2; // what the turn does first
  decided.resolve({ admitted: true, scope: 'ip', limit: 100, remaining: 99, resetAtMs: 0 });
  await until('it is decided', () => control.ends.length === 1);
  expect(control.ends).toEqual([{ delayMs: 6, heldMs: 0, waitedMs: 60 }]);
});

const turnEnd = (clock: EventLoopClock): Promise<void> =>
  new Promise((resolve) => {
    const stop = clock.onTurnEnd(() => {
      stop();
      setImmediate(resolve); // after the clock has noted the end
    });
  });
