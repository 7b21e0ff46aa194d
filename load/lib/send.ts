/** Sends what was drawn, as a proxy on this machine would pass it on, and checks the answer. */
import exec from 'k6/execution';
import http from 'k6/http';
import type { Answer } from './answer.ts';
import { checkAnswer } from './check-answer.ts';
import { onlyLoopback } from './loopback.ts';
import { drawSending } from './mix.ts';
import type { Sending } from './sending.ts';

/** What is sent while the exchange warms up is checked but not measured. */
export type Phase = 'warm-up' | 'measured';

const target = onlyLoopback(__ENV.TARGET_URL || 'http://127.0.0.1:8080');

export function send({ traffic, method, path, headers, body, gzip }: Sending, phase: Phase): Answer {
  return http.request(method, `${target}${path}`, body ?? null, {
    headers,
    tags: { traffic, phase },
    timeout: '3s',
    responseType: 'text',
    ...(gzip && { compression: 'gzip' }),
  });
}

export const warmUp = (): void => sendMixed('warm-up');
export const mixed = (): void => sendMixed('measured');

function sendMixed(phase: Phase): void {
  const { name, iterationInTest } = exec.scenario;
  const sending = drawSending(name, iterationInTest);
  checkAnswer(send(sending, phase), sending.expected);
}
