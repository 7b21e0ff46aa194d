/** Three partners that bid at once, in a process of their own. Prints their endpoints when they listen. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const adm = JSON.stringify({
  native: {
    ver: '1.2',
    assets: [
      { id: 1, title: { text: 'Trail shoes' } },
      { id: 2, img: { url: 'https://cdn.example/1200x627.jpg?a=1&b=2', w: 1200, h: 627 } },
      { id: 3, data: { value: 'Light, dry and made to be repaired rather than replaced.' } },
    ],
    link: { url: 'https://shoes.example/?a=1&b=2', clicktrackers: ['https://t.example/click?a=1&b=2'] },
    imptrackers: ['https://t.example/imp?a=1&b=2'],
  },
});
const bid = { id: 'b-1', impid: '1', price: 1.5, adm, crid: 'creative-1', adomain: ['shoes.example'], cat: ['IAB18'] };
/** As Go encodes it. */
const body = JSON.stringify({ id: 'bench', cur: 'USD', seatbid: [{ seat: 'stub', bid: [bid] }] }).replaceAll(
  '&',
  String.raw`\u0026`,
);
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };

const servers = Array.from({ length: 3 }, () =>
  createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, headers).end(body));
  }).listen(0, '127.0.0.1'),
);
for (const server of servers) if (!server.listening) await once(server, 'listening');
const ports = servers.map((server) => (server.address() as AddressInfo).port);
process.stdout.write(`${ports.map((port) => `http://127.0.0.1:${port}/bid`).join(' ')}\n`);
