/** Places behind the gate come back whatever becomes of the request that took them. */
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { ConcurrencyLimiter } from '../../src/http/concurrency-limiter.ts';
import { until } from '../support/until.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Answers nothing until `answer` is called; tells for each request whether there was room. */
async function start(perAddress: number) {
  const gate = new ConcurrencyLimiter({ handling: 100, perAddress });
  const verdicts: boolean[] = [];
  const answers: (() => void)[] = [];
  server = createServer((_request, response) => {
    const place = gate.enter('203.0.113.7', response);
    verdicts.push(place !== undefined && gate.handle(place));
    answers.push(() => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const open = (): Socket => connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  return { verdicts, answers, open };
}

const ask = 'GET / HTTP/1.1\r\nHost: gavel.test\r\n\r\n';

test('when the answer is sent', async () => {
  const { verdicts, answers, open } = await start(1);
  const socket = open();
  socket.write(ask);
  await until('the first is there', () => verdicts.length === 1);
  open().write(ask);
  await until('the second is there', () => verdicts.length === 2);
  answers[0]!();
  await until('there is room', () => {
    open().write(ask);
    return verdicts.slice(2).some(Boolean);
  });
  expect(verdicts.slice(0, 2)).toEqual([true, false]);
});

test.each([
  ['that are not answered yet', 0],
  ['whose answers wait for the first', 2],
])('when the client hangs up on pipelined requests %s', async (_what, answered) => {
  const { verdicts, answers, open } = await start(3);
  const socket = open();
  socket.write(ask.repeat(3));
  await until('all three are there', () => verdicts.length === 3);
  open().write(ask);
  await until('the fourth is there', () => verdicts.length === 4);
  expect(verdicts).toEqual([true, true, true, false]);
  for (const answer of answers.slice(1, 1 + answered)) answer();
  socket.resetAndDestroy();
  await until('there is room for three', () => {
    open().write(ask.repeat(3)); // and those that find room keep it
    return verdicts.slice(4).filter(Boolean).length === 3;
  });
});
