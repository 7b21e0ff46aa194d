/** Revenue and latency of simulated auctions. */
import type { SimulatedAuction } from './simulate.ts';

export interface Summary {
  revenue: number;
  p50Ms: number;
  p99Ms: number;
  meanMs: number;
}

export function summarize(auctions: readonly SimulatedAuction[]): Summary {
  const latencies = auctions.map(({ latencyMs }) => latencyMs).toSorted((a, b) => a - b);
  const quantile = (q: number) => latencies[Math.min(latencies.length - 1, Math.floor(q * latencies.length))]!;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    revenue: sum(auctions.map(({ revenue }) => revenue)),
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    meanMs: sum(latencies) / latencies.length,
  };
}
