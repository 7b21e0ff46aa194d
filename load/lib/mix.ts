/** The mix: mostly live bid requests, and a share of test mode, of broken requests and of what finds no endpoint. */
import { type BidRequest, type Body, drawBidRequest } from './bid-request.ts';
import { addressOf } from './crowd.ts';
import { type Draw, drawsOf } from './draw.ts';
import { drawInvalid } from './invalid-request.ts';
import type { Placement } from './placement.ts';
import { json, type Sending } from './sending.ts';

const strayShare = 0.03;
const invalidShare = 0.1;
const testShare = 0.08;
const gzipShare = 0.1;

/** `run` keeps the ids of scenarios that run side by side apart. */
export function drawSending(run: string, iteration: number): Sending {
  const draw = drawsOf(iteration);
  const sending = drawKind(draw, `${run}-${iteration}`);
  return { ...sending, headers: { ...sending.headers, 'X-Forwarded-For': addressOf(draw) } };
}

function drawKind(draw: Draw, id: string): Sending {
  const chance = draw.share();
  if (chance < strayShare) return drawStray(draw);
  const request = drawBidRequest(draw, id);
  if (chance < strayShare + invalidShare) return drawInvalid(draw, request.body);
  if (chance < strayShare + invalidShare + testShare) return toTest(request);
  return toLive(request, draw.happens(gzipShare));
}

export const toLive = ({ body, placements }: BidRequest, gzip = false): Sending => ({
  traffic: 'live',
  method: 'POST',
  path: '/openrtb2',
  headers: json,
  body: JSON.stringify(body),
  gzip,
  expected: { ...auctionOf(body, placements), statuses: statusesFor(placements) },
});

/** Test mode answers 200 whether or not there is a bid. */
const toTest = ({ body, placements, level }: BidRequest): Sending => ({
  traffic: 'test',
  method: 'POST',
  path: '/openrtb2',
  headers: json,
  body: JSON.stringify({ ...body, test: 1 }),
  expected: { ...auctionOf(body, placements), statuses: [200], testLevel: level },
});

/** The hard budget less the exchange's own margin, as it is by default. */
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

function drawStray(draw: Draw): Sending {
  const [method, path, status, code] = draw.from([
    ['GET', '/', 404, 'NOT_FOUND'],
    ['GET', '/favicon.ico', 404, 'NOT_FOUND'],
    ['POST', '/openrtb', 404, 'NOT_FOUND'],
    ['GET', '/openrtb2', 405, 'METHOD_NOT_ALLOWED'],
  ] as const);
  const content = method === 'POST' ? { headers: json, body: '{}' } : { headers: {} };
  return { traffic: 'stray', method, path, ...content, expected: { kind: 'error', status, code } };
}
