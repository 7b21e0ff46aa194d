/** The primary is killed: its workers end by themselves, after the requests in progress. With real processes. */
import { expect, test } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { titleRequest } from '../support/auction-exchange.ts';
import { bidResponse, send, startPartner } from '../support/scripted-partner.ts';
import { childPids, startGavel } from '../support/start-gavel.ts';
import { until } from '../support/until.ts';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a request in progress gets its response, and then the worker exits', async () => {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const partner = await startPartner((response, request) => {
    asked.resolve();
    void released.promise.then(() => send(response, JSON.stringify(bidResponse(request, 2.5))));
  });
  const file = join(mkdtempSync(join(tmpdir(), 'gavel-')), 'partners.json');
  const partners = [{ name: 'alpha', adapter: 'openrtb', endpoint: partner.url }];
  writeFileSync(file, JSON.stringify({ partners }));
  const gavel = await startGavel({ WORKERS: '1', DEMAND_FILE: file, TIMEOUT_MS: '5000', SOFT_TIMEOUT_MS: '5000' });
  const [worker] = childPids(gavel.process.pid);
  const response = fetch(gavel.endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(titleRequest({ tmax: 5_000 })),
  });
  await asked.promise;
  gavel.process.kill('SIGKILL');
  await until('the primary is gone', () => gavel.process.signalCode === 'SIGKILL');
  released.resolve();
  expect((await response).status).toBe(200);
  await until('the worker is gone', () => !isAlive(worker!));
  partner.close();
});
