/** The requests of the benchmarks: integration level 4, from many addresses and publishers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const clients = { addresses: 2_000, publishers: 50 };

export const addressAt = (i: number): string => `10.0.${Math.floor(i / 250) % 8}.${i % 250}`;
export const publisherAt = (i: number): number => i % clients.publishers;
export const publisherId = (publisher: number): string => `pub-${String(publisher).padStart(2, '0')}`;

export interface RequestsFile {
  path: string;
  /** The body of the first request. */
  sample: string;
}

/** Writes one complete HTTP request per address, so that wrk only has to send bytes. */
export const writeRequests = (folder: string, addresses = clients.addresses): RequestsFile =>
  writeBodies(
    join(folder, `requests-${addresses}`),
    '/openrtb2',
    Array.from({ length: addresses }, (_, i) => JSON.stringify(benchRequest(i, publisherAt(i)))),
  );

/** One body per address. */
export function writeBodies(path: string, target: string, bodies: readonly string[]): RequestsFile {
  const requests = bodies.map((body, i) => toHttp(target, body, addressAt(i)));
  writeFileSync(path, requests.map((text) => `${Buffer.byteLength(text)}\n${text}`).join(''));
  return { path, sample: bodies[0]! };
}

const toHttp = (target: string, body: string, address: string): string =>
  [
    `POST ${target} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `X-Forwarded-For: ${address}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

/** Requests differ in id, user, publisher and title length only; all have the same size. */
export const benchRequest = (number: number, publisher: number, impressions = 1) => ({
  id: `bench-${padded(number)}`,
  at: 1,
  tmax: 400,
  imp: Array.from({ length: impressions }, (_, index) => impression(publisher, index)),
  ...sellerControls,
  site: {
    id: 'site-harbour-guide',
    name: 'The Harbour Guide',
    domain: 'harbourguide.example',
    cat: ['552', '596'],
    keywords: 'trail running, rain jackets, hiking',
    publisher: { id: publisherId(publisher) },
  },
  device: {
    ua: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ip: '198.51.100.24',
    language: 'en',
    devicetype: 2,
    geo: { lat: 47.606209, lon: -122.332069, country: 'USA' },
  },
  user: {
    id: `visitor-${padded(number)}`,
    gender: 'O',
    data: [{ id: 'shelf', name: 'Shelf Segments', segment: [{ id: '1204' }, { id: '1377' }] }],
  },
  regs: { ext: { gdpr: 0, us_privacy: '1YNN' }, coppa: 0 },
  ext: { service: context },
});

const sellerControls = {
  badv: Array.from({ length: 50 }, (_, index) => `competitor-${index}.example`),
  bcat: Array.from({ length: 20 }, (_, index) => `IAB25-${index + 1}`),
};

const padded = (number: number): string => String(number).padStart(5, '0');

const impression = (publisher: number, index: number) => ({
  id: index === 0 ? 'reply-card' : `reply-card-${index + 1}`,
  native: { request: nativeRequest(publisher), ver: '1.2', api: [7] },
  bidfloor: 0.4,
  pmp: {
    deals: [
      { id: 'harbour-spring', bidfloor: 1.2, at: 1, wseat: ['agency-4'] },
      { id: 'harbour-fixed', bidfloor: 3, at: 3, wadomain: ['outfitters.example'] },
    ],
  },
  ext: {
    service: {
      adcpFormats: [
        { agent_url: 'https://cards.example/', id: 'native_reply_card' },
        { agent_url: 'https://cards.example/', id: 'native_carousel' },
      ],
    },
    service_product_search: { min_price: 40, max_price: 260, price_currency: 'USD' },
  },
});

/** The title length differs per publisher, so that there is one native request text per publisher. */
const nativeRequest = (publisher: number): string =>
  JSON.stringify({
    native: {
      ver: '1.2',
      context: 2,
      plcmttype: 4,
      assets: [
        { id: 1, required: 1, title: { len: 50 + publisher } },
        { id: 2, required: 1, img: { type: 3, wmin: 600, hmin: 314 } },
        { id: 3, required: 0, data: { type: 1, len: 25 } },
        { id: 4, required: 0, data: { type: 2, len: 90 } },
        { id: 5, required: 0, data: { type: 12, len: 20 } },
      ],
    },
  });

const context = {
  messageSequenceNumber: 4,
  messageLength: 86,
  isQuickReply: false,
  userThinkTimeMs: 7400,
  sessionDurationMs: 93000,
  intent: {
    value: 'purchase_inquiry',
    confidence: 0.87,
    topics: ['rain jackets', 'trail shoes'],
    signals: ['asked-for-price'],
  },
  sentiment: { value: 'positive', score: 0.4 },
  funnel: { stage: 'consideration', progress: 0.55 },
  audience: { interests: ['hiking', 'running'], behaviors: ['compares-prices'] },
};
