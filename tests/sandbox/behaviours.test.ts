/** The configurable behaviours of the sandbox: no-bid share, fault share, every fault, latency. */
import { describe, expect, test } from '@jest/globals';
import { type Behaviour, chooseBehaviour, faults } from '../../src/sandbox/behaviour.ts';
import { bidRequest } from './bid-request.ts';
import { type Sandbox, type SandboxResponse, send, startSandbox } from './start-sandbox.ts';

const ids = Array.from({ length: 400 }, (_, index) => `request-${index}`);

const requestBid = (sandbox: Sandbox, id: string, partner = 'alpha') =>
  send(sandbox, `/${partner}/bid`, bidRequest(id));

const statuses = async (sandbox: Sandbox, partner: string) =>
  (await Promise.all(ids.map((id) => requestBid(sandbox, id, partner)))).map(({ status }) => status);

/** A request id to which alpha responds with this fault if the fault share is 1. */
const idWith = (fault: Behaviour) =>
  ids.find((id) => chooseBehaviour(`alpha ${id}`, { faultShare: 1, noBidShare: 0 }) === fault)!;

const errorCodeOf = (call: Promise<SandboxResponse>) =>
  call.then(
    () => 'responded',
    (error: Error) => (error.cause as NodeJS.ErrnoException).code,
  );

describe('the no-bid share', () => {
  test('is the fraction of calls without a bid; the calls are the same in every run and differ per partner', async () => {
    const sandbox = await startSandbox({ SANDBOX_NO_BID_SHARE: '0.25' });
    const alpha = await statuses(sandbox, 'alpha');
    expect(alpha.filter((status) => status === 204).length / ids.length).toBeCloseTo(0.25, 1);
    expect(alpha.filter((status) => status === 200).length / ids.length).toBeCloseTo(0.75, 1);
    expect(await statuses(sandbox, 'alpha')).toEqual(alpha);
    expect(await statuses(sandbox, 'beta')).not.toEqual(alpha);
    await sandbox.end();
  });

  test('of 1 gives no bids and no products', async () => {
    const sandbox = await startSandbox({ SANDBOX_NO_BID_SHARE: '1' });
    expect(await requestBid(sandbox, 'r', 'beta')).toEqual({ status: 204, text: '' });
    expect(await send(sandbox, '/shop/v1/ads/search?query=shoes')).toEqual({ status: 200, text: '{"products":[]}' });
    await sandbox.end();
  });

  test('is 0.1 by default', async () => {
    const sandbox = await startSandbox({ SANDBOX_NO_BID_SHARE: '' });
    const alpha = await statuses(sandbox, 'alpha');
    expect(alpha.filter((status) => status === 204).length / ids.length).toBeCloseTo(0.1, 1);
    await sandbox.end();
  });
});

describe('the fault share', () => {
  test('is the fraction of calls with a fault, split evenly between the faults', () => {
    const behaviours = ids.map((id) => chooseBehaviour(id, { faultShare: 0.5, noBidShare: 0 }));
    expect(behaviours.filter((behaviour) => behaviour === 'respond').length / ids.length).toBeCloseTo(0.5, 1);
    expect(faults).toHaveLength(5);
    for (const fault of faults) {
      expect(behaviours.filter((behaviour) => behaviour === fault).length / ids.length).toBeCloseTo(0.1, 1);
    }
  });

  test('gives every fault, and the same one for the same call', async () => {
    const sandbox = await startSandbox({ SANDBOX_FAULT_SHARE: '1', SANDBOX_NO_BID_SHARE: '1' });
    for (const _run of ['first', 'second']) {
      expect((await requestBid(sandbox, idWith('error'))).status).toBe(500);
      expect(await errorCodeOf(requestBid(sandbox, idWith('reset')))).toBe('ECONNRESET');
      const truncated = await requestBid(sandbox, idWith('truncated-json'));
      expect(truncated.status).toBe(200);
      expect(() => JSON.parse(truncated.text) as unknown).toThrow(SyntaxError);
      const wrong = await requestBid(sandbox, idWith('wrong-response'));
      expect(wrong.status).toBe(200);
      expect((JSON.parse(wrong.text) as { id: string }).id).not.toBe(idWith('wrong-response'));
    }
    await sandbox.end();
  });

  test('gives calls without a response, whose connections close when the sandbox stops', async () => {
    const sandbox = await startSandbox({ SANDBOX_FAULT_SHARE: '1' });
    let settled = false;
    const unanswered = errorCodeOf(requestBid(sandbox, idWith('no-response'))).finally(() => (settled = true));
    for (let call = 0; call < 50; call++) await requestBid(sandbox, idWith('error'));
    expect(settled).toBe(false);
    expect(await sandbox.end()).toBe(0);
    expect(await unanswered).not.toBe('responded');
  });

  test('applies to the product search too', async () => {
    const sandbox = await startSandbox({ SANDBOX_FAULT_SHARE: '1' });
    const behaviourOf = (query: string) => chooseBehaviour(`shop ${query}`, { faultShare: 1, noBidShare: 0 });
    const query = ids.map((id) => `query=${id}`).find((candidate) => behaviourOf(candidate) === 'wrong-response')!;
    const { status, text } = await send(sandbox, `/shop/v1/ads/search?${query}`);
    expect(status).toBe(200);
    expect((JSON.parse(text) as { products: unknown }).products).not.toBeInstanceOf(Array);
    await sandbox.end();
  });
});

describe('the latency', () => {
  const durationOf = async (call: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await call();
    return performance.now() - startedAt;
  };
  /** A timer may fire early by this much. */
  const roundingMs = 2;

  test('applies to every response', async () => {
    const sandbox = await startSandbox({ SANDBOX_LATENCY_MS: '60' });
    expect(await durationOf(() => requestBid(sandbox, 'r1'))).toBeGreaterThanOrEqual(60 - roundingMs);
    const search = () => send(sandbox, '/shop/v1/ads/search?query=shoes');
    expect(await durationOf(search)).toBeGreaterThanOrEqual(60 - roundingMs);
    await sandbox.end();
  });

  test('varies between calls within the spread', async () => {
    const sandbox = await startSandbox({ SANDBOX_LATENCY_SPREAD_MS: '300' });
    const durations = await Promise.all(ids.slice(0, 40).map((id) => durationOf(() => requestBid(sandbox, id))));
    expect(Math.max(...durations) - Math.min(...durations)).toBeGreaterThan(150);
    await sandbox.end();
  });

  test('skips the response to a client that has disconnected', async () => {
    const sandbox = await startSandbox({ SANDBOX_LATENCY_MS: '40', SANDBOX_FAULT_SHARE: '0.5' });
    const calls = ids.slice(0, 100).map(async (id) => {
      const signal = AbortSignal.timeout(20);
      await fetch(`${sandbox.url}/alpha/bid`, { method: 'POST', body: JSON.stringify(bidRequest(id)), signal });
    });
    for (const { status } of await Promise.allSettled(calls)) expect(status).toBe('rejected');
    expect((await send(sandbox, '/healthz')).status).toBe(200);
    await requestBid(
      sandbox,
      ids.find((id) => chooseBehaviour(`alpha ${id}`, { faultShare: 0.5, noBidShare: 0 }) === 'respond')!,
    );
    expect(await sandbox.end()).toBe(0);
  });
});
