/** More than a limit allows: from one address, which also forges who it is, and from one publisher at many addresses. */
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { drawBidRequest } from './bid-request.ts';
import { checkAnswer, checkRefusal } from './check-answer.ts';
import { addressOf } from './crowd.ts';
import { type Draw, drawsOf } from './draw.ts';
import { toLive } from './mix.ts';
import { send } from './send.ts';
import type { Sending } from './sending.ts';

/** As the exchange has them. */
export const limits = {
  ip: Number(__ENV.LIMIT_IP || 100),
  publisher: Number(__ENV.LIMIT_PUBLISHER || 1_000),
};

type Scope = keyof typeof limits;

const admitted = new Counter('admitted');
const refused = new Counter('refused');

/** The address that the trusted hop saw is the last one; whatever a client wrote before it counts for nothing. */
const fromOneAddress = (draw: Draw): string => `${addressOf(draw)}, 198.19.0.1`;

export const floodAddress = (): void => flood('ip', fromOneAddress);
export const floodPublisher = (): void => flood('publisher', addressOf);

/** After the flood the address is welcome again. */
export function sendAfterFlood(): void {
  const sending = drawFlood('quiet', fromOneAddress);
  checkAnswer(send(sending, 'measured'), sending.expected);
}

function flood(scope: Scope, from: (draw: Draw) => string): void {
  const sending = drawFlood(scope === 'publisher' ? 'pub-flood' : undefined, from);
  const answer = send(sending, 'measured');
  const isRefused = answer.status === 429;
  (isRefused ? refused : admitted).add(1, { scope });
  if (isRefused) checkRefusal(answer, scope, limits[scope]);
  else checkAnswer(answer, sending.expected);
}

/** Of no publisher unless one is named; not counted among the live requests, whose latency is measured. */
function drawFlood(publisher: string | undefined, from: (draw: Draw) => string): Sending {
  const { name, iterationInTest } = exec.scenario;
  const draw = drawsOf(iterationInTest);
  const request = drawBidRequest(draw, `${name}-${iterationInTest}`);
  const { app: _app, ...body } = request.body;
  const site = { domain: 'flood.example', ...(publisher !== undefined && { publisher: { id: publisher } }) };
  const sending = toLive({ ...request, body: { ...body, site } });
  return { ...sending, traffic: 'flood', headers: { ...sending.headers, 'X-Forwarded-For': from(draw) } };
}

/** A bucket lets through its capacity and what is refilled: half a second more or less is the generator's own. */
export const floodThresholds = (seconds: number): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(limits).flatMap(([scope, limit]) => [
      [`admitted{scope:${scope}}`, [`count<=${limit * (seconds + 1.5)}`, `count>=${limit * (seconds - 0.5)}`]],
      [`refused{scope:${scope}}`, ['count>0']],
    ]),
  );
