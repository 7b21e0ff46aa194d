/** Connections that cannot be opened: later calls do not wait for them, and they are few. */
import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer, type LookupFunction } from 'node:net';
import { HttpClient, type Request } from '../../src/http-client/http-client.ts';
import { until } from '../support/until.ts';
import { TestCall } from './test-call.ts';

const post = (url: string): Request => ({ method: 'POST', url, headers: {}, body: '{}' });

test('a call does not wait for a connection that an earlier one has waited for in vain', async () => {
  const server = createServer((socket) => {
    socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const lookups: string[] = [];
  const lookup: LookupFunction = (name, _options, callback) => {
    if (lookups.push(name) > 1) callback(null, [{ address: '127.0.0.1', family: 4 }]); // the first never ends
  };
  const client = new HttpClient({ lookup });
  const url = `http://partner.test:${port}/`;
  const first = new TestCall(client, post(url));
  await until('a connection is being opened', () => lookups.length === 1);
  first.pool.cancel(first);
  expect(await new TestCall(client, post(url)).ended).toMatchObject({ status: 200 });
  server.close();
});

test('no more than eight connections are opened beside those that are needed, however many calls gave up', async () => {
  const client = new HttpClient({ lookup: () => {} });
  for (let index = 0; index < 20; index++) {
    const one = new TestCall(client, post('http://partner.test/'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(one.pool.size).toBe(Math.min(index + 1, 9));
    one.pool.cancel(one);
  }
});
