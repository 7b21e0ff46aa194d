/** The requests of the overload benchmark: 20 kB each, so that a generator on one core can offer four times the peak. */
import { join } from 'node:path';
import { benchRequest, clients, publisherAt, writeBodies } from '../bench/traffic/requests.ts';
import { readRequests } from './read-requests.ts';

const impressions = 10;
const providers = 10;
const segmentsPerProvider = 20;

const data = Array.from({ length: providers }, (_, provider) => ({
  id: `provider-${provider}`,
  name: `Provider ${provider}`,
  segment: Array.from({ length: segmentsPerProvider }, (_, index) => ({
    id: String(1_000 + index),
    name: `Segment ${index}`,
    value: '1',
  })),
}));

/** One per address. */
export function createRequests(folder: string): ReturnType<typeof readRequests> {
  const bodies = Array.from({ length: clients.addresses }, (_, index) => {
    const request = benchRequest(index, publisherAt(index), impressions);
    return JSON.stringify({ ...request, user: { ...request.user, data } });
  });
  return readRequests(writeBodies(join(folder, 'requests'), '/openrtb2', bodies).path);
}
