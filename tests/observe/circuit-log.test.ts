/** The log of the circuit breakers: a few lines per outage, however long it lasts. */
import { expect, test } from '@jest/globals';
import { createCircuitLog } from '../../src/observe/circuit-log.ts';
import type { Logger } from '../../src/observe/logger.ts';

function create() {
  const lines: object[] = [];
  const logger = { warn: (fields: object) => lines.push(fields) } as unknown as Logger;
  const log = createCircuitLog(logger);
  const failProbe = (partner: string, cause: string) => {
    log(partner, 'half_open');
    log(partner, 'open', cause);
  };
  return { lines, log, failProbe };
}

test('an outage has one line when it begins and one when it ends', () => {
  const { lines, log, failProbe } = create();
  log('alpha', 'open', 'status 500');
  for (let i = 0; i < 30; i++) failProbe('alpha', 'status 500');
  log('alpha', 'half_open');
  log('alpha', 'closed');
  expect(lines).toEqual([
    { partner: 'alpha', state: 'open', cause: 'status 500' },
    { partner: 'alpha', state: 'closed' },
  ]);
});

test('each cause is logged once per outage and partner', () => {
  const { lines, log, failProbe } = create();
  log('alpha', 'open', 'status 500');
  failProbe('alpha', 'connection failed');
  failProbe('alpha', 'status 500');
  failProbe('alpha', 'connection failed');
  log('beta', 'open', 'status 500');
  log('alpha', 'closed');
  log('alpha', 'open', 'status 500');
  expect(lines).toEqual([
    { partner: 'alpha', state: 'open', cause: 'status 500' },
    { partner: 'alpha', state: 'open', cause: 'connection failed' },
    { partner: 'beta', state: 'open', cause: 'status 500' },
    { partner: 'alpha', state: 'closed' },
    { partner: 'alpha', state: 'open', cause: 'status 500' },
  ]);
});

test('a partner that sends a new status per probe gets a bounded number of lines', () => {
  const { lines, log, failProbe } = create();
  log('alpha', 'open', 'status 500');
  for (let status = 501; status < 600; status++) failProbe('alpha', `status ${status}`);
  expect(lines).toHaveLength(8);
});
