/** Sends the requests of a scenario the way a trusted proxy would forward them, and checks the responses. */
import exec from 'k6/execution';
import http from 'k6/http';
import { checkResponse, type Response } from './check-response.ts';
import type { LoadRequest } from './load-request.ts';
import { requireLoopback } from './loopback.ts';
import { randomRequest } from './traffic-mix.ts';

/** Responses during the warm-up are checked but not measured. */
export type Phase = 'warm-up' | 'measured';

const target = requireLoopback(__ENV.TARGET_URL || 'http://127.0.0.1:8080');

export function send({ traffic, method, path, headers, body, gzip }: LoadRequest, phase: Phase): Response {
  return http.request(method, `${target}${path}`, body ?? null, {
    headers,
    tags: { traffic, phase },
    timeout: '3s',
    responseType: 'text',
    ...(gzip && { compression: 'gzip' }),
  });
}

export const warmUp = (): void => sendNext('warm-up');
export const mixedTraffic = (): void => sendNext('measured');

function sendNext(phase: Phase): void {
  const { name, iterationInTest } = exec.scenario;
  const request = randomRequest(name, iterationInTest);
  checkResponse(send(request, phase), request.expected);
}
