/** A real HAProxy with the configuration of deploy/haproxy: which instances get requests, and what a caller gets without any. */
import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectErrorBody } from '../support/error-body.ts';
import { fullRequest } from '../support/full-request.ts';
import { describeWithHaproxy, type Haproxy, type InstancePorts, startHaproxy } from '../support/haproxy.ts';
import { freePort } from '../support/redis-server.ts';
import { startGavel } from '../support/start-gavel.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function start(one: InstancePorts, two: InstancePorts): Promise<Haproxy> {
  const haproxy = await startHaproxy([one, two]);
  cleanUps.push(() => haproxy.end());
  return haproxy;
}

/** Nothing listens there. */
const absent = async (): Promise<InstancePorts> => ({ endpoint: await freePort(), admin: await freePort() });

/** Responds to every bid request with 204; `isReady` is what its `/readyz` says. */
async function startInstance(): Promise<InstancePorts & { isReady: boolean }> {
  const endpoint = await listen(createServer((_request, response) => response.writeHead(204).end()));
  const admin = await listen(
    createServer((_request, response) => response.writeHead(instance.isReady ? 200 : 503).end()),
  );
  const instance = { endpoint, admin, isReady: false };
  return instance;
}

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const post = (endpoint: string): Promise<Response> =>
  fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fullRequest),
  });

async function postTimes(count: number, endpoint: string): Promise<Response[]> {
  const responses: Response[] = [];
  for (let i = 0; i < count; i++) responses.push(await post(endpoint));
  return responses;
}

describeWithHaproxy('HAProxy with deploy/haproxy/haproxy.cfg', () => {
  test('every bid request gets its bid from the exchange that is ready, while the other one is down', async () => {
    const gavel = await startGavel({ WORKERS: '1' });
    cleanUps.push(() => gavel.end());
    const ports = { endpoint: Number(new URL(gavel.endpoint).port), admin: Number(new URL(gavel.admin).port) };
    const haproxy = await start(await absent(), ports);
    await haproxy.untilReady(1);
    const responses = await postTimes(10, haproxy.endpoint);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(await responses[0]!.json()).toMatchObject({ id: fullRequest.id, seatbid: [{ seat: 'house' }] });
  });

  test('an instance that listens gets requests only while it is ready', async () => {
    const instance = await startInstance();
    const haproxy = await start(instance, await absent());
    await haproxy.untilReady(0);
    expect((await post(haproxy.endpoint)).status).toBe(503);
    instance.isReady = true;
    await haproxy.untilReady(1);
    expect((await post(haproxy.endpoint)).status).toBe(204);
    instance.isReady = false;
    await haproxy.untilReady(0);
    expect((await post(haproxy.endpoint)).status).toBe(503);
  });

  test('while no instance is ready, callers get 503 with the error body, and one of three times in Retry-After', async () => {
    const haproxy = await start(await absent(), await absent());
    await haproxy.untilReady(0);
    const responses = await postTimes(60, haproxy.endpoint);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
    expect(new Set(responses.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1', '2', '3']));
    const body: unknown = await responses[0]!.json();
    expectErrorBody(body, responses[0]!.headers.get('x-request-id')!);
    expect(body.error.code).toBe('SERVICE_UNAVAILABLE');
  });
});
