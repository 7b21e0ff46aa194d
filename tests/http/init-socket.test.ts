/** All sockets have the same properties, from the first request on: V8 looks up by name what has too many shapes (decision 35). */
import type { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { chunked, type Client, message, open, start, statuses } from '../support/held-exchange.ts';
import { until } from '../support/until.ts';

type Started = Awaited<ReturnType<typeof start>>;

const propertiesOf = (socket: Socket): string[] => Reflect.ownKeys(socket).map(String);

const serveAll = ({ control }: Started) => Object.assign(control, { holdsRequests: false, free: Infinity });

const unknownPath = (id: string): string => message(id).replace('/openrtb2', '/unknown');

const cases: [string, (client: Client, started: Started) => Promise<void> | void, string[]][] = [
  ['is served', (client, started) => (serveAll(started), void client.socket.write(message('a'))), ['400']],
  ['is shed', (client) => void client.socket.write(message('a')), ['503']],
  [
    'waits, and is then served',
    async ({ socket }, started) => {
      started.control.throughput = 1_000;
      socket.write(message('a'));
      await until('it waits', () => started.control.waiting === 1);
      serveAll(started);
    },
    ['400'],
  ],
  [
    'has chunks',
    (client, started) => (serveAll(started), void client.socket.write(chunked('a', '2\r\n{}\r\n0\r\n\r\n'))),
    ['400'],
  ],
  ['has another path', (client, started) => (serveAll(started), void client.socket.write(unknownPath('a'))), ['404']],
  [
    'is not the first of its connection',
    async (client, started) => {
      client.socket.write(message('a'));
      await until('the first is shed', () => statuses(client).length === 1);
      serveAll(started);
      client.socket.write(message('b') + message('c'));
    },
    ['503', '400', '400'],
  ],
  [
    'closes its connection',
    ({ socket }, started) => (serveAll(started), void socket.write(message('a', ['Connection: close']))),
    ['400'],
  ],
  ['is not HTTP', (client, started) => (serveAll(started), void client.socket.write('a\r\n\r\n')), ['400']],
];

test.each(cases)('the socket of a request that %s gets no further property', async (_kind, send, expected) => {
  const started = await start();
  const sockets: { socket: Socket; properties: string[] }[] = [];
  started.exchange.server.on('connection', (socket: Socket) =>
    sockets.push({ socket, properties: propertiesOf(socket) }),
  );
  const client = await open(started.port);
  await send(client, started);
  await until('all responses have arrived', () => statuses(client).length === expected.length);
  expect(statuses(client)).toEqual(expected);
  expect(sockets.map(({ socket }) => propertiesOf(socket))).toEqual(sockets.map(({ properties }) => properties));
});
