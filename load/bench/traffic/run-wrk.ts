/** Loads a URL with wrk, at full speed or at a target rate. A response other than 2xx fails the run. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface WrkRun {
  url: string;
  /** Written by `writeRequests`. */
  requestsFile: string;
  seconds: number;
  connections: number;
  /** Mean pause of a connection between two requests; pauses are exponentially distributed. */
  thinkMs?: number;
}

export interface WrkResult {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** What wrk.lua prints. */
interface WrkOutput extends Omit<WrkResult, 'perSecond'> {
  seconds: number;
  notOk: number;
  failed: number;
}

/** A second thread takes more CPU from the workers than it adds load. */
const threads = 1;
/** Long, so that late responses on a busy machine are measured instead of counted as failures. */
const timeout = '10s';

const script = fileURLToPath(new URL('wrk.lua', import.meta.url));
const execute = promisify(execFile);

export async function runWrk({ url, requestsFile, seconds, connections, thinkMs = 0 }: WrkRun): Promise<WrkResult> {
  const options = ['-t', threads, '-c', connections, '-d', `${seconds}s`, '--timeout', timeout, '-s', script];
  const { stdout } = await execute('wrk', [...options, url, '--', requestsFile, thinkMs].map(String));
  const line = /^\{.*\}$/m.exec(stdout)?.[0];
  if (line === undefined) throw new Error(`wrk did not finish:\n${stdout}`);
  const { requests, seconds: tookSeconds, notOk, failed, ...latencies } = JSON.parse(line) as WrkOutput;
  if (requests === 0 || notOk + failed > 0)
    throw new Error(`${url}: of ${requests} responses, ${notOk} were not 2xx; ${failed} requests failed`);
  return { requests, perSecond: requests / tookSeconds, ...latencies };
}

const pacedConnections = 128;
const calibrationRuns = 2;
const calibrationSeconds = 2;

/**
 * Finds the think time at which many connections together send at a target rate.
 * The rate comes out slightly low, because the median response time is subtracted, not the mean.
 */
export async function calibrateRate(
  target: Pick<WrkRun, 'url' | 'requestsFile'>,
  perSecond: number,
): Promise<Pick<WrkRun, 'connections' | 'thinkMs'>> {
  const connections = pacedConnections;
  const cycleMs = (connections * 1000) / perSecond;
  let thinkMs = cycleMs;
  for (let run = 0; run < calibrationRuns; run++) {
    const { p50Ms } = await runWrk({ ...target, connections, seconds: calibrationSeconds, thinkMs });
    thinkMs = Math.max(cycleMs - p50Ms, cycleMs / 2);
  }
  return { connections, thinkMs };
}
