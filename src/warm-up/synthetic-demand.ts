/** The demand of the warm-up: campaigns, and an OpenRTB partner and a product service on the loopback interface. No real partner is called. */
import { createServer, type Server } from 'node:http';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/config-error.ts';
import { readPartners } from '../config/partners-file.ts';
import { impressionId, requestId } from './synthetic-requests.ts';

const campaign = {
  id: 'warm-up',
  cpm: 1.25,
  adomain: ['warm-up.example'],
  landing: 'https://warm-up.example/',
  title: 'Warm-up',
  description: 'Never served',
  image: { url: 'https://warm-up.example/1200x627.jpg', w: 1200, h: 627 },
  sponsor: 'Warm-up',
};
const targeted = { ...campaign, id: 'targeted', cpm: 2, target: { keywords: ['running shoes'] } };

/** `endpoint` is that of the server. */
export function syntheticPartners(endpoint: string): Config['partners'] {
  const partners = [
    { name: 'house', adapter: 'house', campaigns: [campaign, targeted] },
    { name: 'remote', adapter: 'openrtb', endpoint },
    { name: 'shop', adapter: 'product-search', endpoint, cacheMs: 0 },
  ];
  const result = readPartners({ partners }, 'warm-up');
  if ('problems' in result) throw new ConfigError(result.problems);
  return result.partners;
}

const adm = JSON.stringify({
  native: {
    ver: '1.2',
    link: { url: 'https://warm-up.example/' },
    assets: [
      { id: 1, title: { text: 'Warm-up' } },
      { id: 2, img: { type: 3, url: 'https://warm-up.example/1200x627.jpg', w: 1200, h: 627 } },
    ],
  },
});
const bid = { id: '1', impid: impressionId, price: 1.5, adomain: ['warm-up.example'], crid: '1', adm };
const bidResponse = JSON.stringify({ id: requestId, cur: 'USD', seatbid: [{ bid: [bid] }] });

const product = {
  id: 'warm-up',
  title: 'Warm-up',
  description: 'Never served',
  brand: 'Warm-up',
  url: 'https://warm-up.example/',
  imageUrl: 'https://warm-up.example/1200x627.jpg',
  imageWidth: 1200,
  imageHeight: 627,
  price: 129,
  currency: 'USD',
  cpm: 1.5,
  advertiserDomain: 'warm-up.example',
};
const productResponse = JSON.stringify({ products: [product, { ...product, id: 'other', cpm: 1 }] });

export const createSyntheticPartners = (): Server =>
  createServer((request, response) => {
    request.resume();
    const text = request.method === 'GET' ? productResponse : bidResponse;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  });
