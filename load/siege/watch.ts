/** Watches the exchange during a phase: CPU and memory of its workers, replaced workers, readiness. */
import { cpuMicros, residentMiB } from '../bench/machine/processes.ts';
import type { SiegedExchange } from './exchange.ts';

export interface Observation {
  /** CPU time of all workers ÷ elapsed time: 1 is one core. */
  workerCores: number;
  /** The same for the other processes: attackers, client, partners, Redis. */
  otherCores: number;
  /** The largest resident memory of a worker. */
  maxWorkerMiB: number;
  replacedWorkers: number;
  readyPolls: number;
  failedReadyPolls: number;
}

const pollIntervalMs = 250;
const readyTimeoutMs = 2_000;

/** `others` are the pids of the other processes of the siege. The returned function stops watching. */
export function watchExchange(exchange: SiegedExchange, others: readonly number[]): () => Observation {
  const startedAtMs = performance.now();
  const othersMicros = () => others.reduce((sum, pid) => sum + cpuMicros(pid), 0);
  const othersBefore = othersMicros();
  const cpu = new Map<number, { first: number; last: number }>();
  const observation: Observation = {
    workerCores: 0,
    otherCores: 0,
    maxWorkerMiB: 0,
    replacedWorkers: 0,
    readyPolls: 0,
    failedReadyPolls: 0,
  };
  const initial = exchange.workers();
  const sample = () => {
    for (const pid of exchange.workers()) sampleWorker(pid, cpu, observation);
  };
  const timer = setInterval(() => {
    sample();
    void pollReady(exchange.admin, observation);
  }, pollIntervalMs);
  sample();
  return () => {
    clearInterval(timer);
    sample();
    const micros = [...cpu.values()].reduce((sum, { first, last }) => sum + last - first, 0);
    const elapsedMicros = (performance.now() - startedAtMs) * 1_000;
    observation.workerCores = micros / elapsedMicros;
    observation.otherCores = (othersMicros() - othersBefore) / elapsedMicros;
    observation.replacedWorkers = [...cpu.keys()].filter((pid) => !initial.includes(pid)).length;
    return observation;
  };
}

function sampleWorker(pid: number, cpu: Map<number, { first: number; last: number }>, observation: Observation): void {
  try {
    const micros = cpuMicros(pid);
    cpu.set(pid, { first: cpu.get(pid)?.first ?? micros, last: micros });
    observation.maxWorkerMiB = Math.max(observation.maxWorkerMiB, residentMiB(pid));
  } catch {
    // The worker has just exited.
  }
}

async function pollReady(admin: string, observation: Observation): Promise<void> {
  observation.readyPolls++;
  try {
    const response = await fetch(`${admin}/readyz`, { signal: AbortSignal.timeout(readyTimeoutMs) });
    await response.text();
    if (response.status !== 200) observation.failedReadyPolls++;
  } catch {
    observation.failedReadyPolls++;
  }
}
