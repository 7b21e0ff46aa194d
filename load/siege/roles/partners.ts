/** A role: the HTTP partners named by its arguments. One always bids, one searches products, one is hostile if told so. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { listen } from '../../../src/fleet/listen.ts';
import { steadySeat } from '../settings.ts';
import { type HostileResponse, hostileResponses } from '../traffic/hostile-responses.ts';
import { productResponses } from '../traffic/product-responses.ts';
import { impId } from '../traffic/bid-request.ts';
import { serveRole } from './role.ts';

/** `trackers`: thousands of event trackers, for those who offer as many. `everything`: all hostile responses, for everyone. */
export type Hostility = 'none' | 'trackers' | 'everything';

export interface PartnersCommand {
  hostility: Hostility;
}

export interface PartnersReport {
  /** By partner. */
  ports: Record<string, number>;
  hostileResponses: number;
}

const report: PartnersReport = { ports: {}, hostileResponses: 0 };
let hostility: Hostility = 'none';

/** Limits that partners commonly have. */
const maxBodyBytes = 32 * 1024;
const maxTargetLength = 8 * 1024;
const minDelayMs = 10;
const maxDelayMs = 20;

const adm = JSON.stringify({
  native: {
    ver: '1.2',
    assets: [
      { id: 1, title: { text: 'Rain jackets that last' } },
      { id: 2, img: { url: 'https://steady.example/1200x627.jpg', w: 1200, h: 627 } },
      { id: 3, data: { value: 'Steady outfitters' } },
    ],
    link: { url: 'https://steady.example/offer' },
  },
});
const steadyBid = `,"cur":"USD","seatbid":[{"seat":"${steadySeat}","bid":[{"id":"1","impid":"${impId}","price":5,"crid":"steady-1","adomain":["steady.example"],"adm":${JSON.stringify(adm)}}]}]}`;

/** The exchange sends the id among the first members. Undefined for another form. */
const idOf = (body: Buffer): string | undefined =>
  /"id":("(?:[^"\\]|\\.)*")/.exec(body.subarray(0, 500).toString('latin1'))?.[1];

function reject(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0 }).end();
}

function collect(request: IncomingMessage, onBody: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => onBody(Buffer.concat(chunks)));
}

const steady: RequestListener = (request, response) => {
  collect(request, (body) => {
    const id = idOf(body);
    if (body.length > maxBodyBytes) reject(response, 413);
    else if (id === undefined) response.writeHead(204).end();
    else
      setTimeout(
        () => sendJson(response, [`{"id":${id}`, steadyBid]),
        minDelayMs + Math.random() * (maxDelayMs - minDelayMs),
      );
  });
};

const hostile: RequestListener = (request, response) => {
  collect(request, (body) => {
    const id = idOf(body);
    const hostileResponse = hostileResponseTo(body);
    if (!hostileResponse || id === undefined) return void response.writeHead(204).end();
    report.hostileResponses++;
    const { headers, content } = hostileResponse;
    sendJson(response, typeof content === 'function' ? content(id) : [content], headers);
  });
};

function hostileResponseTo(body: Buffer): HostileResponse | undefined {
  if (hostility === 'everything') return hostileResponses[report.hostileResponses % hostileResponses.length];
  return hostility === 'trackers' && body.includes('"siege-event-trackers"') ? hostileResponses[0] : undefined;
}

const products: RequestListener = (request, response) => {
  const target = request.url!;
  if (target.length > maxTargetLength) return reject(response, 431);
  const name = Object.keys(productResponses).find((keyword) => target.includes(keyword)) ?? 'default';
  sendJson(response, [productResponses[name]!]);
};

function sendJson(response: ServerResponse, parts: readonly (string | Buffer)[], headers: object = {}): void {
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': length, ...headers });
  for (const part of parts) response.write(part);
  response.end();
}

const listeners: Record<string, RequestListener> = { [steadySeat]: steady, hostile, products };
for (const name of process.argv.slice(2)) {
  const server = createServer({ keepAliveTimeout: 65_000 }, listeners[name]);
  report.ports[name] = await listen(server, { port: 0, host: '127.0.0.1', variable: 'port' });
}

/** The count starts when the partner becomes hostile. */
serveRole((command: PartnersCommand): PartnersReport => {
  if (command.hostility !== 'none') report.hostileResponses = 0;
  ({ hostility } = command);
  return report;
});
