/** Exceeds a rate limit: from one address that forges `X-Forwarded-For`, or with one publisher id from many addresses. */
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { randomBidRequest } from './bid-request.ts';
import { checkRateLimited, checkResponse } from './check-response.ts';
import { pickAddress } from './clients.ts';
import type { LoadRequest } from './load-request.ts';
import { type Random, seededRandom } from './random.ts';
import { send } from './send.ts';
import { liveRequest } from './traffic-mix.ts';

/** Must equal the limits of the exchange under test. */
export const limits = {
  ip: Number(__ENV.LIMIT_IP || 100),
  publisher: Number(__ENV.LIMIT_PUBLISHER || 1_000),
};

type Scope = keyof typeof limits;

const admitted = new Counter('admitted');
const refused = new Counter('refused');

/** The exchange must use the last address, which the trusted proxy wrote, and ignore the forged one before it. */
const oneAddress = (random: Random): string => `${pickAddress(random)}, 198.19.0.1`;

export const floodAddress = (): void => flood('ip', oneAddress);
export const floodPublisher = (): void => flood('publisher', pickAddress);

/** Once the flood is over, the exchange must admit the address again. */
export function sendAfterFlood(): void {
  const request = floodRequest('quiet', oneAddress);
  checkResponse(send(request, 'measured'), request.expected);
}

function flood(scope: Scope, forwardedFor: (random: Random) => string): void {
  const request = floodRequest(scope === 'publisher' ? 'pub-flood' : undefined, forwardedFor);
  const response = send(request, 'measured');
  const isRefused = response.status === 429;
  (isRefused ? refused : admitted).add(1, { scope });
  if (isRefused) checkRateLimited(response, scope, limits[scope]);
  else checkResponse(response, request.expected);
}

/** Tagged `flood`, so that the latency of live requests excludes it. */
function floodRequest(publisher: string | undefined, forwardedFor: (random: Random) => string): LoadRequest {
  const { name, iterationInTest } = exec.scenario;
  const random = seededRandom(iterationInTest);
  const bidRequest = randomBidRequest(random, `${name}-${iterationInTest}`);
  const { app: _app, ...body } = bidRequest.body;
  const site = { domain: 'flood.example', ...(publisher !== undefined && { publisher: { id: publisher } }) };
  const request = liveRequest({ ...bidRequest, body: { ...body, site } });
  return { ...request, traffic: 'flood', headers: { ...request.headers, 'X-Forwarded-For': forwardedFor(random) } };
}

/** A bucket admits its capacity plus the refill; the tolerance of half a second covers the timing of k6. */
export const floodThresholds = (seconds: number): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(limits).flatMap(([scope, limit]) => [
      [`admitted{scope:${scope}}`, [`count<=${limit * (seconds + 1.5)}`, `count>=${limit * (seconds - 0.5)}`]],
      [`refused{scope:${scope}}`, ['count>0']],
    ]),
  );
