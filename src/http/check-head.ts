/** Checks what the HTTP parser accepts and the exchange does not: the version, a second Host, a transfer coding, an unknown expectation. */
import type { IncomingMessage } from 'node:http';
import { describeValue } from '../json/describe-value.ts';
import type { BodyError } from './read-body.ts';

export function checkHead({ httpVersion, rawHeaders, headers }: IncomingMessage): BodyError | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return malformed(`its version is HTTP/${httpVersion}`);
  if (hasTwoHosts(rawHeaders)) return malformed('it has more than one Host header');
  const { expect, 'transfer-encoding': coding } = headers;
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    return malformed(`its Transfer-Encoding is ${describeValue(coding)}; only chunked is known`);
  }
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined;
  return { error: 'http.expectation', detail: `got ${describeValue(expect)}` };
}

const malformed = (detail: string): BodyError => ({ error: 'http.malformed', detail });

/** node:http keeps only the first one in `headers`. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}
