/** The cause with which a circuit opens: the last failure in words. */
import { expect, test } from '@jest/globals';
import type { PartnerResponse } from '../../src/demand/call-partner.ts';
import { Cancellation } from '../../src/demand/cancellation.ts';
import { CircuitBreaker } from '../../src/demand/circuit-breaker.ts';
import { withProtection } from '../../src/demand/protect.ts';
import { callOf, FakeCallPartner } from './fake-call-partner.ts';

const fairMs = 250;

function create() {
  const fake = new FakeCallPartner();
  const clock = { nowMs: 10_000 };
  const changes: string[] = [];
  const callPartner = withProtection(fake.callPartner, {
    breaker: new CircuitBreaker(3, (state, cause) => changes.push(`${state}: ${cause ?? ''}`)),
    qpsLimiter: undefined,
    fairMs,
    nowMs: () => clock.nowMs,
  });
  const callsEnd = async (...responses: PartnerResponse[]) => {
    for (const response of responses) {
      const ended = callPartner(callOf('/a'), new Cancellation(), false);
      clock.nowMs += fairMs;
      fake.calls.at(-1)!.respondWith(response);
      await ended;
    }
  };
  return { clock, changes, callsEnd };
}

const status = (code: number): PartnerResponse => ({ result: 'error', status: code });

test.each<[string, PartnerResponse]>([
  ['status 503', status(503)],
  ['connection failed', { result: 'error' }],
  ['no response in time', { result: 'timeout' }],
  ['no response in time', { result: 'late' }],
])('%s', async (cause, last) => {
  const { changes, callsEnd } = create();
  await callsEnd(status(500), status(500), last);
  expect(changes).toEqual([`open: ${cause}`]);
});

test('a probe without a signal does not change it; a probe that fails does', async () => {
  const { clock, changes, callsEnd } = create();
  await callsEnd(status(500), status(500), status(502));
  clock.nowMs += 5_000;
  await callsEnd(status(429), { result: 'error' });
  expect(changes).toEqual([
    'open: status 502',
    'half_open: ',
    'open: status 502',
    'half_open: ',
    'open: connection failed',
  ]);
});
