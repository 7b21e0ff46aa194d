/** Reads the requests that wrk sends, for the load generators of our own. */
import { readFileSync } from 'node:fs';
import type { Load } from './open-loop.ts';

export function readRequests(path: string): Load['requests'] {
  const bytes = readFileSync(path);
  const all: { keepAlive: Buffer; fresh: Buffer }[] = [];
  for (let at = 0; at < bytes.length;) {
    const lineEnd = bytes.indexOf('\n', at);
    const length = Number(bytes.toString('latin1', at, lineEnd));
    const keepAlive = bytes.subarray(lineEnd + 1, lineEnd + 1 + length);
    const fresh = keepAlive.toString('latin1').replace(/X-Forwarded-For: .*/, 'Connection: close');
    all.push({ keepAlive, fresh: Buffer.from(fresh, 'latin1') });
    at = lineEnd + 1 + length;
  }
  return all;
}
