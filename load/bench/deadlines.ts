/** What do learned deadlines earn and save, compared with fixed ones? Simulated auctions; the numbers are the same in every run. */
import { table, writeResults } from '../results.ts';
import { type Scenario, scenarios } from './deadlines/scenarios.ts';
import { type Policy, simulate } from './deadlines/simulate.ts';
import { type Summary, summarize } from './deadlines/summarize.ts';

const count = 3_000;
/** Nothing is known yet. */
const firstAuctions = 25;
const policies: readonly Policy[] = [50, 100, 150, 'learned'];
const nameOf = (policy: Policy) => (policy === 'learned' ? policy : `${policy} ms`);

async function measure(scenario: Scenario, policy: Policy): Promise<Summary> {
  const auctions = await simulate(scenario, policy, count);
  return summarize(auctions.slice(firstAuctions));
}

const rows: string[][] = [];
for (const scenario of scenarios) {
  const baseline = (await measure(scenario, 150)).revenue;
  for (const [index, policy] of policies.entries()) {
    const { revenue, p50Ms, p99Ms, meanMs } = await measure(scenario, policy);
    rows.push([
      index === 0 ? scenario.name : '',
      index === 0 ? scenario.description : '',
      nameOf(policy),
      `${((100 * revenue) / baseline).toFixed(1)}%`,
      ...[p50Ms, meanMs, p99Ms].map((ms) => ms.toFixed(0)),
    ]);
  }
}

writeResults('Learned deadlines, simulated', 'make bench BENCH=deadlines', [
  `${count} auctions per row, 50 per second, in simulated time. Two partners respond within 45 ms; the third one, which bids most, is`,
  `described. Revenue is relative to the fixed soft budget of 150 ms, latency that of the auction. The first ${firstAuctions} auctions, in which`,
  'nothing is known yet, are left out: they take as long as with 150 ms.',
  '',
  ...table(['third partner', 'responds', 'waits', 'revenue', 'p50, ms', 'mean, ms', 'p99, ms'], rows),
]);
