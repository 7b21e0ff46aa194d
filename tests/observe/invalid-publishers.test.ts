/** The number of publishers whose requests are mostly invalid, and the log lines that name them. */
import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { InvalidPublishers } from '../../src/observe/invalid-publishers.ts';
import type { ErrorResponse } from '../../src/openrtb/error-row.ts';

const error: ErrorResponse = {
  name: 'number.min',
  status: 400,
  code: 'INVALID_FIELD_VALUE',
  message: 'Invalid field value',
  field: 'tmax',
  reason: 'must be at least 100; got 7',
};

function create() {
  const clock = { nowMs: 0 };
  const lines: object[] = [];
  const register = new Registry();
  const publishers = new InvalidPublishers({
    register,
    logger: { warn: (fields: object) => lines.push(fields) },
    nowMs: () => clock.nowMs,
  });
  const send = (publisher: string | undefined, invalid: number, valid: number) => {
    for (let i = 0; i < invalid; i++) publishers.observe(publisher, error);
    for (let i = 0; i < valid; i++) publishers.observe(publisher, undefined);
  };
  /** The value that a scrape gets. */
  const scrapeAt = async (ms: number): Promise<number> => {
    clock.nowMs = ms;
    const [metric] = await register.getMetricsAsJSON();
    return metric!.values[0]!.value;
  };
  return { send, scrapeAt, lines };
}

test.each([
  ['all of 30 requests invalid', 30, 0, 1],
  ['half of 30 requests invalid', 15, 15, 1],
  ['less than half invalid', 15, 16, 0],
  ['fewer than 30 requests', 29, 0, 0],
  ['no invalid request', 0, 100, 0],
])('%s: %d invalid, %d valid', async (_name, invalid, valid, expected) => {
  const { send, scrapeAt, lines } = create();
  send('pub-1', invalid, valid);
  expect(await scrapeAt(60_000)).toBe(expected);
  expect(lines).toHaveLength(expected);
});

test('the number is of the last complete minute', async () => {
  const { send, scrapeAt } = create();
  send('pub-1', 30, 0);
  expect(await scrapeAt(59_999)).toBe(0);
  expect(await scrapeAt(60_000)).toBe(1);
  expect(await scrapeAt(119_999)).toBe(1);
  expect(await scrapeAt(120_000)).toBe(0);
});

test('the log line has the publisher, cut to 64 characters, its counts and the last error', async () => {
  const { send, scrapeAt, lines } = create();
  send('x'.repeat(100), 40, 10);
  await scrapeAt(60_000);
  const fields = { requests: 50, invalid: 40, code: 'INVALID_FIELD_VALUE', field: 'tmax' };
  expect(lines).toEqual([{ publisher: 'x'.repeat(64), ...fields }]);
});

test('at most ten publishers are logged per minute, those with the most invalid requests', async () => {
  const { send, scrapeAt, lines } = create();
  for (let i = 0; i < 15; i++) send(`pub-${i}`, 30 + i, 0);
  expect(await scrapeAt(60_000)).toBe(15);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toMatchObject({ publisher: 'pub-14', invalid: 44 });
});

test('at most 1,000 publishers are counted per minute', async () => {
  const { send, scrapeAt } = create();
  for (let i = 0; i < 1_001; i++) send(`pub-${i}`, 30, 0);
  expect(await scrapeAt(60_000)).toBe(1_000);
});

test('requests without a publisher id are not counted', async () => {
  const { send, scrapeAt } = create();
  send(undefined, 100, 0);
  expect(await scrapeAt(60_000)).toBe(0);
});
