/** The HTTP client for partners, against real sockets. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { type CallPartner, createCallPartner } from '../../src/demand/call-partner.ts';
import { Cancellation } from '../../src/demand/cancellation.ts';
import { hangs, type Script, type ScriptedPartner, send, startPartner } from '../support/scripted-partner.ts';
import { until } from '../support/until.ts';
import { callOf } from './fake-call-partner.ts';

const started: ScriptedPartner[] = [];
afterEach(() => {
  for (const partner of started.splice(0)) partner.close();
});

async function start(script: Script): Promise<ScriptedPartner> {
  const partner = await startPartner(script);
  started.push(partner);
  return partner;
}

const sendJson =
  (body: object): Script =>
  (response) =>
    send(response, JSON.stringify(body));
const call = (callPartner: CallPartner, url: string, cancellation = new Cancellation()) =>
  callPartner(callOf(url), cancellation, false);

describe('the host of a call', () => {
  test('is used: one partner may have several hosts', async () => {
    const [first, second] = [await start(sendJson({ host: 1 })), await start(sendJson({ host: 2 }))];
    const callPartner = createCallPartner();
    expect((await call(callPartner, first.url)).body).toEqual({ host: 1 });
    expect((await call(callPartner, `${second.url}?q=1`)).body).toEqual({ host: 2 });
    expect(first.calls).toHaveLength(1);
    expect(second.calls.map(({ url }) => url)).toEqual(['/bid?q=1']);
  });

  test('is limited to 16 different ones per partner; more are a defect of the adapter', async () => {
    const callPartner = createCallPartner();
    const results = [];
    for (let host = 1; host <= 16; host++) results.push((await call(callPartner, `http://127.0.0.${host}:9/`)).result);
    expect(new Set(results)).toEqual(new Set(['error']));
    await expect(call(callPartner, 'http://127.0.0.17:9/')).rejects.toThrow('more than 16 hosts');
  });
});

describe('cancellation', () => {
  test.each(['late', 'timeout'] as const)('as %s ends a call in flight and closes its connection', async (reason) => {
    const partner = await start(hangs);
    const cancellation = new Cancellation();
    const response = call(createCallPartner(), partner.url, cancellation);
    await until('the call has arrived', () => partner.calls.length === 1);
    cancellation.cancel(reason);
    expect(await response).toEqual({ result: reason });
  });

  test('before the call ends it immediately', async () => {
    const partner = await start(sendJson({}));
    const cancellation = new Cancellation();
    cancellation.cancel('late');
    expect(await call(createCallPartner(), partner.url, cancellation)).toEqual({ result: 'late' });
  });
});

test('calls beyond 256 in flight are skipped until others have ended', async () => {
  const partner = await start(hangs);
  const callPartner = createCallPartner();
  const cancellation = new Cancellation();
  const inFlight = Array.from({ length: 256 }, () => call(callPartner, partner.url, cancellation));
  expect(await call(callPartner, partner.url)).toEqual({ result: 'skipped' });
  cancellation.cancel('late');
  await Promise.all(inFlight);
  partner.play(sendJson({}));
  await until('connections are free', async () => (await call(callPartner, partner.url)).result === 'bid');
});
