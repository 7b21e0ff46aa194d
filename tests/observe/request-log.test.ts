/** The request log: its sample and its caps. */
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createRequestLog } from '../../src/observe/request-log.ts';

const create = (sample = 0) => createAt({ nowMs: 0 }, sample);

const createAt = (clock: { nowMs: number }, sample = 0) =>
  createRequestLog({ logger: pino({ level: 'silent' }), sample, nowMs: () => clock.nowMs, random: () => 0.5 });

const admitted = (errorName: string | undefined, publishers: (string | undefined)[], log = create()) =>
  publishers.filter((publisher) => log.admit(errorName, publisher) !== undefined).length;

const ids = (count: number) => Array.from({ length: count }, (_, i) => `pub-${i}`);

test.each([
  [0.4, 0],
  [0.6, 20],
])('a share of %d of the responses without an error gives %d lines of 20', (sample, lines) => {
  expect(admitted(undefined, ids(20), create(sample))).toBe(lines);
});

test('an error has at most ten lines per second and publisher', () => {
  const log = create();
  expect(admitted('number.min', Array<string>(60).fill('a'), log)).toBe(10);
  expect(admitted('number.min', Array<string>(60).fill('b'), log)).toBe(10);
});

test('publisher ids that vary do not defeat the cap: an error has at most 100 lines per second', () => {
  expect(admitted('number.min', ids(3_000))).toBe(100);
});

test('defects have at most ten lines per second, whatever the publisher', () => {
  expect(admitted('server.defect', ids(300))).toBe(10);
});

test('no suppressed line is lost, whichever cap suppressed it', () => {
  const clock = { nowMs: 0 };
  const log = createAt(clock);
  let lines = 0;
  let suppressed = 0;
  const send = (publisher: string, times: number) => {
    for (let i = 0; i < times; i++) {
      const more = log.admit('number.min', publisher);
      if (more === undefined) continue;
      lines++;
      suppressed += more;
    }
  };
  send('a', 60);
  clock.nowMs = 1_000;
  for (const id of ids(10)) send(id, 10); // reaches the cap of the error
  send('a', 1); // suppressed by it
  clock.nowMs = 3_000;
  for (const publisher of ['a', ...ids(10)]) send(publisher, 1);
  expect(lines + suppressed).toBe(60 + 100 + 1 + 11);
});
