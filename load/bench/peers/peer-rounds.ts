/** Loads the servers in turn, round by round, and measures their throughput per core, latency and memory. */
import { cpuMicros, residentMiB } from '../machine/processes.ts';
import type { RunningServer } from '../machine/start.ts';
import { type Round, undisturbed } from '../measure.ts';
import { connections, rounds, roundSeconds, warmUpSeconds } from '../settings.ts';
import { median } from '../statistics.ts';
import { calibrateRate, runWrk, type WrkResult } from '../traffic/run-wrk.ts';

export interface Peer {
  name: string;
  running: RunningServer;
  requestsFile: string;
  /** Other processes whose CPU time is part of its cost. */
  helpers: readonly number[];
}

export interface PeerRound extends Round, Pick<WrkResult, 'perSecond' | 'p50Ms' | 'p99Ms'> {
  /** Requests per second of CPU time. */
  perCore: number;
  residentMiB: number;
  /** CPU time of the partners per request: equal if both servers call all of them. */
  partnerMicros: number;
}

export interface Partners {
  pid: number;
}

type Load = () => Promise<WrkResult>;

export const serverPids = ({ primary, workers }: RunningServer): number[] => [primary, ...workers];
export const serverMiB = (running: RunningServer): number => sum(serverPids(running).map(residentMiB));

export const warmUp = ({ running: { url }, requestsFile }: Peer): Promise<WrkResult> =>
  runWrk({ url, requestsFile, connections, seconds: warmUpSeconds });

/** The rounds of each peer, as fast as it can. */
export const measureSaturated = (peers: readonly Peer[], partners: Partners): Promise<PeerRound[][]> =>
  measureInTurn(
    peers,
    partners,
    peers.map(
      ({ running: { url }, requestsFile }): Load =>
        () =>
          runWrk({ url, requestsFile, connections, seconds: roundSeconds }),
    ),
  );

/** All at the same rate: half of what the slowest peer can do. */
export async function measureAtHalf(
  peers: readonly Peer[],
  partners: Partners,
  saturated: readonly PeerRound[][],
): Promise<PeerRound[][]> {
  const rate = Math.min(...saturated.map((all) => median(all.map(({ perSecond }) => perSecond)))) / 2;
  const loads: Load[] = [];
  for (const { running, requestsFile } of peers) {
    const target = { url: running.url, requestsFile };
    const paced = await calibrateRate(target, rate);
    loads.push(() => runWrk({ ...target, ...paced, seconds: roundSeconds }));
  }
  return measureInTurn(peers, partners, loads);
}

async function measureInTurn(
  peers: readonly Peer[],
  partners: Partners,
  loads: readonly Load[],
): Promise<PeerRound[][]> {
  const own = [partners.pid, ...peers.flatMap(({ running, helpers }) => [...serverPids(running), ...helpers])];
  const measured = peers.map((): PeerRound[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, peer] of peers.entries())
      measured[index]!.push(await undisturbed(own, () => measureRound(peer, partners, loads[index]!)));
  return measured;
}

async function measureRound(peer: Peer, partners: Partners, load: Load): Promise<Omit<PeerRound, 'otherLoad'>> {
  const pids = [...serverPids(peer.running), ...peer.helpers];
  const [before, partnersBefore] = [sum(pids.map(cpuMicros)), cpuMicros(partners.pid)];
  const { requests, perSecond, p50Ms, p99Ms } = await load();
  return {
    perSecond,
    p50Ms,
    p99Ms,
    perCore: (requests / (sum(pids.map(cpuMicros)) - before)) * 1_000_000,
    residentMiB: serverMiB(peer.running),
    partnerMicros: (cpuMicros(partners.pid) - partnersBefore) / requests,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
