/** How to load at a given rate: many connections that pause between requests, their pause found by short runs. */
import { runWrk, type WrkRun } from './run-wrk.ts';

const connections = 128;
const trials = 2;
const trialSeconds = 2;

/** A little slow rather than fast: the usual time of an answer is allowed for, not that of those which take longer. */
export async function paceFor(
  target: Pick<WrkRun, 'url' | 'requestsFile'>,
  perSecond: number,
): Promise<Pick<WrkRun, 'connections' | 'thinkMs'>> {
  const cycleMs = (connections * 1000) / perSecond;
  let thinkMs = cycleMs;
  for (let trial = 0; trial < trials; trial++) {
    const { p50Ms } = await runWrk({ ...target, connections, seconds: trialSeconds, thinkMs });
    thinkMs = Math.max(cycleMs - p50Ms, cycleMs / 2);
  }
  return { connections, thinkMs };
}
