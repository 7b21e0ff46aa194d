/** Does the exchange grow by adding machines? 1, 2 and 4 exchanges behind HAProxy: exactness of the limits, cost per request. */
import { setPriority } from 'node:os';
import { onExit, temporaryFolder } from '../bench/machine/start.ts';
import { commandWith, table, writeResults } from '../results.ts';
import { measure, type Measured } from './configuration.ts';
import { canCreateNamespaces, createNetwork, removeNetwork } from './namespaces.ts';
import { costHead, costRow, growth, scopeHead, scopeRows } from './report.ts';
import { isExact } from './scopes.ts';
import { cost, exactness, instanceCounts, loweredLimits, topologies, workersPerInstance } from './settings.ts';

/** Its children have the same priority: unrelated processes should not decide the result. */
const highPriority = -10;

if (!canCreateNamespaces) {
  process.stderr.write('make scale creates network namespaces: run it as root\n');
  process.exit(2);
}

setPriority(highPriority);
const folder = temporaryFolder();
onExit(removeNetwork);
createNetwork(Math.max(...instanceCounts));

const measured: Measured[] = [];
for (const topology of topologies)
  for (const instances of instanceCounts) {
    const one = await measure(topology, instances, folder);
    process.stderr.write(`${costRow(one).join(' | ')}\n`);
    for (const row of scopeRows(one)) process.stderr.write(`  ${row.join(' | ')}\n`);
    measured.push(one);
  }

const isMet = measured.every(({ scopes, isDegraded }) => scopes.every(isExact) && !isDegraded);
writeResults('Scale: exchanges on several machines', commandWith(['SCALE_RATE'], 'make scale'), [
  `Each exchange has ${workersPerInstance} worker, house demand and a network namespace of its own. HAProxy, Redis and the generator run on the machine that connects the namespaces; everything shares its cores. These figures therefore show exactness and cost per request, not throughput. Other load: the share of the machine that unrelated processes took.`,
  '',
  `Cost: ${cost.perSecondPerInstance} requests per second and exchange at fixed times for ${cost.seconds} s after a warm-up of ${cost.warmUpSeconds} s, from 2,000 addresses and 50 publishers, far below the limits. CPU times and bytes are per request. Exchange: primary and worker. Busiest Redis: the server of the cluster with the most CPU time. Calls: calls to Redis per request. Network bytes: of the interfaces of the exchanges, with everything that crosses them; Redis bytes: as Redis counts them.`,
  '',
  ...table(costHead, measured.map(costRow)),
  '',
  ...growth(measured),
  '',
  `Exactness: \`LIMIT_IP=${loweredLimits.ip}\`, \`LIMIT_PUBLISHER=${loweredLimits.publisher}\`, \`LIMIT_GLOBAL=${loweredLimits.global}\`, and twice the limit of one scope offered for ${exactness.seconds} s, with full buckets at the start and traffic below the limits of the other scopes. Allowed: limit × (1 + _T_) per bucket, _T_ from the first request to the last response. Expected: what a model of the buckets admits if every request is decided when it is sent. Over: by how many requests a bucket exceeded the allowed number. Missing: by how many it fell short of the expected number; the longest response time × the limit, and two tokens, may be missing, because requests are decided later than they are sent.`,
  '',
  ...table(scopeHead, measured.flatMap(scopeRows)),
  '',
  isMet
    ? 'Every scope is exact in every configuration.'
    : '**A scope is not exact, a request failed, or a worker was in degraded mode.**',
]);
process.exit(isMet ? 0 : 1);
