/** What becomes of calls: shares that come to nothing or go wrong, every fault, and the time that answers take. */
import { describe, expect, test } from '@jest/globals';
import { decideFate, type Fate } from '../../src/sandbox/fate.ts';
import { bidRequest } from './bid-request.ts';
import { type Answer, ask, type Sandbox, startSandbox } from './start-sandbox.ts';

const ids = Array.from({ length: 400 }, (_, index) => `request-${index}`);

const bidOn = (sandbox: Sandbox, id: string, partner = 'alpha') => ask(sandbox, `/${partner}/bid`, bidRequest(id));

const statuses = async (sandbox: Sandbox, partner: string) =>
  (await Promise.all(ids.map((id) => bidOn(sandbox, id, partner)))).map(({ status }) => status);

/** An id that alpha deals with so when every call goes wrong. */
const idOf = (fate: Fate) => ids.find((id) => decideFate(`alpha ${id}`, { faultShare: 1, noBidShare: 0 }) === fate)!;

const causeOf = (call: Promise<Answer>) =>
  call.then(
    () => 'answered',
    (error: Error) => (error.cause as NodeJS.ErrnoException).code,
  );

describe('the no-bid share', () => {
  test('comes to nothing, the same calls every time, each partner for itself', async () => {
    const sandbox = await startSandbox({ SANDBOX_NO_BID_SHARE: '0.25' });
    const alpha = await statuses(sandbox, 'alpha');
    expect(alpha.filter((status) => status === 204).length / ids.length).toBeCloseTo(0.25, 1);
    expect(alpha.filter((status) => status === 200).length / ids.length).toBeCloseTo(0.75, 1);
    expect(await statuses(sandbox, 'alpha')).toEqual(alpha);
    expect(await statuses(sandbox, 'beta')).not.toEqual(alpha);
    await sandbox.end();
  });

  test('of 1 leaves no bids and no products', async () => {
    const sandbox = await startSandbox({ SANDBOX_NO_BID_SHARE: '1' });
    expect(await bidOn(sandbox, 'r', 'beta')).toEqual({ status: 204, text: '' });
    expect(await ask(sandbox, '/shop/v1/ads/search?query=shoes')).toEqual({ status: 200, text: '{"products":[]}' });
    await sandbox.end();
  });

  test('is a tenth where nothing is set', async () => {
    const sandbox = await startSandbox({ SANDBOX_NO_BID_SHARE: '' });
    const alpha = await statuses(sandbox, 'alpha');
    expect(alpha.filter((status) => status === 204).length / ids.length).toBeCloseTo(0.1, 1);
    await sandbox.end();
  });
});

describe('the fault share', () => {
  test('is kept, and split evenly between the faults', () => {
    const fates = ids.map((id) => decideFate(id, { faultShare: 0.5, noBidShare: 0 }));
    expect(fates.filter((fate) => fate === 'answer').length / ids.length).toBeCloseTo(0.5, 1);
    for (const fault of ['error', 'reset', 'garbage', 'misfit', 'silence']) {
      expect(fates.filter((fate) => fate === fault).length / ids.length).toBeCloseTo(0.1, 1);
    }
  });

  test('brings every fault, and for the same call the same', async () => {
    const sandbox = await startSandbox({ SANDBOX_FAULT_SHARE: '1', SANDBOX_NO_BID_SHARE: '1' });
    for (const _time of ['first', 'second']) {
      expect((await bidOn(sandbox, idOf('error'))).status).toBe(500);
      expect(await causeOf(bidOn(sandbox, idOf('reset')))).toBe('ECONNRESET');
      const garbage = await bidOn(sandbox, idOf('garbage'));
      expect(garbage.status).toBe(200);
      expect(() => JSON.parse(garbage.text) as unknown).toThrow(SyntaxError);
      const misfit = await bidOn(sandbox, idOf('misfit'));
      expect(misfit.status).toBe(200);
      expect((JSON.parse(misfit.text) as { id: string }).id).not.toBe(idOf('misfit'));
    }
    await sandbox.end();
  });

  test('brings silence, which ends when the sandbox does', async () => {
    const sandbox = await startSandbox({ SANDBOX_FAULT_SHARE: '1' });
    let settled = false;
    const silent = causeOf(bidOn(sandbox, idOf('silence'))).finally(() => (settled = true));
    for (let call = 0; call < 50; call++) await bidOn(sandbox, idOf('error'));
    expect(settled).toBe(false);
    expect(await sandbox.end()).toBe(0);
    expect(await silent).not.toBe('answered');
  });

  test('reaches the product service too', async () => {
    const sandbox = await startSandbox({ SANDBOX_FAULT_SHARE: '1' });
    const fateOf = (query: string) => decideFate(`shop ${query}`, { faultShare: 1, noBidShare: 0 });
    const misfit = ids.map((id) => `query=${id}`).find((query) => fateOf(query) === 'misfit')!;
    const { status, text } = await ask(sandbox, `/shop/v1/ads/search?${misfit}`);
    expect(status).toBe(200);
    expect((JSON.parse(text) as { products: unknown }).products).not.toBeInstanceOf(Array);
    await sandbox.end();
  });
});

describe('the latency', () => {
  const timeOf = async (call: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await call();
    return performance.now() - startedAt;
  };
  /** Timers may fire this much early. */
  const roundingMs = 2;

  test('is kept by every answer', async () => {
    const sandbox = await startSandbox({ SANDBOX_LATENCY_MS: '60' });
    expect(await timeOf(() => bidOn(sandbox, 'r1'))).toBeGreaterThanOrEqual(60 - roundingMs);
    const search = () => ask(sandbox, '/shop/v1/ads/search?query=shoes');
    expect(await timeOf(search)).toBeGreaterThanOrEqual(60 - roundingMs);
    await sandbox.end();
  });

  test('spreads over the calls', async () => {
    const sandbox = await startSandbox({ SANDBOX_LATENCY_SPREAD_MS: '300' });
    const times = await Promise.all(ids.slice(0, 40).map((id) => timeOf(() => bidOn(sandbox, id))));
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(150);
    await sandbox.end();
  });

  test('passes over callers who have hung up', async () => {
    const sandbox = await startSandbox({ SANDBOX_LATENCY_MS: '40', SANDBOX_FAULT_SHARE: '0.5' });
    const calls = ids.slice(0, 100).map(async (id) => {
      const signal = AbortSignal.timeout(20);
      await fetch(`${sandbox.url}/alpha/bid`, { method: 'POST', body: JSON.stringify(bidRequest(id)), signal });
    });
    for (const { status } of await Promise.allSettled(calls)) expect(status).toBe('rejected');
    expect((await ask(sandbox, '/healthz')).status).toBe(200);
    await bidOn(
      sandbox,
      ids.find((id) => decideFate(`alpha ${id}`, { faultShare: 0.5, noBidShare: 0 }) === 'answer')!,
    );
    expect(await sandbox.end()).toBe(0);
  });
});
