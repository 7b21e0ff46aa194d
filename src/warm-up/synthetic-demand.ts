/** The demand of the warm-up: a campaign, and an OpenRTB partner on the loopback interface. No real partner is called. */
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

/** `endpoint` is that of the synthetic partner. */
export function syntheticPartners(endpoint: string): Config['partners'] {
  const partners = [
    { name: 'house', adapter: 'house', campaigns: [campaign, targeted] },
    { name: 'remote', adapter: 'openrtb', endpoint },
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

export const createSyntheticPartner = (): Server =>
  createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bidResponse) });
    response.end(bidResponse);
  });
