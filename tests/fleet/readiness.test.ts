/** Why an instance takes no traffic: the reason in the response of /readyz. */
import { expect, test } from '@jest/globals';
import { type InstanceState, notReadyReason } from '../../src/fleet/readiness.ts';

const serving: InstanceState = { isDraining: false, hasStarted: true, readyWorkers: 2, lacksRedis: false };

test.each<[string | undefined, Partial<InstanceState>]>([
  [undefined, {}],
  ['redis', { lacksRedis: true }],
  ['no workers', { readyWorkers: 0 }],
  ['no workers', { readyWorkers: 0, lacksRedis: true }],
  ['starting', { hasStarted: false, readyWorkers: 0, lacksRedis: true }],
  ['starting', { hasStarted: false, readyWorkers: 1 }],
  ['draining', { isDraining: true }],
  ['draining', { isDraining: true, hasStarted: false, readyWorkers: 0, lacksRedis: true }],
])('%s: %j', (reason, state) => {
  expect(notReadyReason({ ...serving, ...state })).toBe(reason);
});
