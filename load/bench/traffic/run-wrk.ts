/** Loads an address with wrk and reads what it tells; an answer that is not 2xx fails the run. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface WrkRun {
  url: string;
  /** As `writeRequests` wrote it. */
  requestsFile: string;
  seconds: number;
  connections: number;
  /** Mean of the exponentially distributed pauses of each connection. */
  thinkMs?: number;
}

export interface WrkFigures {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  longestMs: number;
}

interface Told {
  requests: number;
  seconds: number;
  notOk: number;
  failed: number;
  p50Ms: number;
  p99Ms: number;
  longestMs: number;
}

/** A second one takes more from the workers than it adds. */
const threads = 1;
/** On a machine that others keep busy an answer can be late; it counts as long as it comes. */
const timeout = '10s';

const script = fileURLToPath(new URL('wrk.lua', import.meta.url));
const execute = promisify(execFile);

export async function runWrk({ url, requestsFile, seconds, connections, thinkMs = 0 }: WrkRun): Promise<WrkFigures> {
  const options = ['-t', threads, '-c', connections, '-d', `${seconds}s`, '--timeout', timeout, '-s', script];
  const { stdout } = await execute('wrk', [...options, url, '--', requestsFile, thinkMs].map(String));
  const line = /^\{.*\}$/m.exec(stdout)?.[0];
  if (line === undefined) throw new Error(`wrk did not get to its end:\n${stdout}`);
  const { requests, seconds: took, notOk, failed, ...latencies } = JSON.parse(line) as Told;
  if (requests === 0 || notOk + failed > 0)
    throw new Error(`of ${requests} answers of ${url} ${notOk} were not 2xx, and ${failed} requests failed`);
  return { requests, perSecond: requests / took, ...latencies };
}
