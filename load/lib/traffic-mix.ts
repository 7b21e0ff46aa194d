/** The traffic mix: mostly live bid requests, with a share of test, invalid and unrouted requests. */
import { type BidRequest, type Body, randomBidRequest } from './bid-request.ts';
import { pickAddress } from './clients.ts';
import { randomInvalidRequest } from './invalid-request.ts';
import { jsonHeaders, type LoadRequest } from './load-request.ts';
import type { Placement } from './placement.ts';
import { type Random, seededRandom } from './random.ts';

const unroutedShare = 0.03;
const invalidShare = 0.1;
const testShare = 0.08;
const gzipShare = 0.1;

/** The scenario name is part of the request id, so that parallel scenarios use different ids. */
export function randomRequest(scenario: string, iteration: number): LoadRequest {
  const random = seededRandom(iteration);
  const request = randomKind(random, `${scenario}-${iteration}`);
  return { ...request, headers: { ...request.headers, 'X-Forwarded-For': pickAddress(random) } };
}

function randomKind(random: Random, id: string): LoadRequest {
  const share = random.next();
  if (share < unroutedShare) return unroutedRequest(random);
  const request = randomBidRequest(random, id);
  if (share < unroutedShare + invalidShare) return randomInvalidRequest(random, request.body);
  if (share < unroutedShare + invalidShare + testShare) return testRequest(request);
  return liveRequest(request, random.chance(gzipShare));
}

export const liveRequest = ({ body, placements }: BidRequest, gzip = false): LoadRequest => ({
  traffic: 'live',
  method: 'POST',
  path: '/openrtb2',
  headers: jsonHeaders,
  body: JSON.stringify(body),
  gzip,
  expected: { ...auctionOf(body, placements), statuses: statusesFor(placements) },
});

/** Test mode responds with 200 whether or not there is a bid. */
const testRequest = ({ body, placements, level }: BidRequest): LoadRequest => ({
  traffic: 'test',
  method: 'POST',
  path: '/openrtb2',
  headers: jsonHeaders,
  body: JSON.stringify({ ...body, test: 1 }),
  expected: { ...auctionOf(body, placements), statuses: [200], testLevel: level },
});

/** The default hard timeout, or `tmax` if that is shorter, minus the margin that the exchange keeps for itself. */
const auctionOf = ({ id, tmax }: Body, placements: readonly Placement[]) => ({
  kind: 'auction' as const,
  id,
  placements,
  budgetMs: Math.min(typeof tmax === 'number' ? tmax : Infinity, 500) - 20,
});

function statusesFor(placements: readonly Placement[]): number[] {
  if (placements.some(({ demand }) => demand === 'certain')) return [200];
  return placements.every(({ demand }) => demand === 'none') ? [204] : [200, 204];
}

function unroutedRequest(random: Random): LoadRequest {
  const [method, path, status, code] = random.pick([
    ['GET', '/', 404, 'NOT_FOUND'],
    ['GET', '/favicon.ico', 404, 'NOT_FOUND'],
    ['POST', '/openrtb', 404, 'NOT_FOUND'],
    ['GET', '/openrtb2', 405, 'METHOD_NOT_ALLOWED'],
  ] as const);
  const content = method === 'POST' ? { headers: jsonHeaders, body: '{}' } : { headers: {} };
  return { traffic: 'unrouted', method, path, ...content, expected: { kind: 'error', status, code } };
}
