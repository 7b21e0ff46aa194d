/** Measures one configuration: its cost per request far below the limits, and the exactness of every scope. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sumOf } from '../bench/machine/counters.ts';
import { watchOtherLoad } from '../bench/machine/processes.ts';
import { addressAt, clients, publisherAt } from '../bench/traffic/requests.ts';
import { Machines } from './machines.ts';
import { type Offered, offer, type OfferedRequest, toRequest } from './offer.ts';
import { RedisTopology, usageBetween } from './redis-topology.ts';
import { allScopes, type Exactness, measureScope } from './scopes.ts';
import { cost, exactness, type Limits, loweredLimits, type TopologyName, unreachedLimits } from './settings.ts';

export interface Cost {
  offered: Offered;
  exchangeMicros: number;
  redisMicros: number;
  /** Of the busiest Redis server. */
  busiestRedisMicros: number;
  redisCalls: number;
  loadBalancerMicros: number;
  redisBytes: number;
  /** Of the interfaces of the exchanges: requests, responses, Redis, health checks. */
  exchangeBytes: number;
  /** The share of the machine that unrelated processes took. */
  otherLoad: number;
}

export interface Measured {
  topology: TopologyName;
  instances: number;
  /** Per request. */
  cost: Cost;
  scopes: Exactness[];
  /** Whether a worker decided without Redis. */
  isDegraded: boolean;
}

const costRequests: readonly OfferedRequest[] = Array.from({ length: clients.addresses }, (_, i) =>
  toRequest(i, addressAt(i), publisherAt(i), 0),
);

export async function measure(topology: TopologyName, instances: number, folder: string): Promise<Measured> {
  const redis = await new RedisTopology(topology, `${folder}/${topology.replaceAll(' ', '-')}-${instances}`).start();
  try {
    const measuredCost = await withMachines(instances, unreachedLimits, redis, folder, (machines) =>
      measureCost(machines, redis, instances),
    );
    const scopes = await withMachines(instances, loweredLimits, redis, folder, () => measureScopes());
    const isDegraded = measuredCost.isDegraded || scopes.isDegraded;
    return {
      topology,
      instances,
      cost: measuredCost.result,
      scopes: scopes.result,
      isDegraded,
    };
  } finally {
    await redis.stop();
  }
}

async function withMachines<T>(
  instances: number,
  limits: Limits,
  redis: RedisTopology,
  folder: string,
  use: (machines: Machines) => Promise<T>,
): Promise<{ result: T; isDegraded: boolean }> {
  const machines = new Machines(instances, limits, redis.variables, folder);
  try {
    const result = await use(await machines.untilReady());
    const metrics = await machines.metrics();
    return { result, isDegraded: metrics.some((one) => one.get('exchange_limit_mode{mode="redis"}') !== 1) };
  } finally {
    await machines.stop();
  }
}

async function measureCost(machines: Machines, redis: RedisTopology, instances: number): Promise<Cost> {
  const perSecond = cost.perSecondPerInstance * instances;
  await offer(costRequests, perSecond, cost.warmUpSeconds);
  const calls = async () =>
    (await machines.metrics()).reduce(
      (sum, one) => sum + sumOf(one, /^exchange_limit_store_duration_seconds_count/),
      0,
    );
  const otherLoad = watchOtherLoad([...machines.pids, ...(await redis.pids())]);
  const callsBefore = await calls();
  const [redisBefore, before] = [await redis.usage(), machines.usage()];
  const offered = await offer(costRequests, perSecond, cost.seconds);
  const after = machines.usage();
  const used = usageBetween(redisBefore, await redis.usage());
  const perRequest = (amount: number) => amount / offered.sent;
  return {
    offered,
    exchangeMicros: perRequest(after.exchangeMicros - before.exchangeMicros),
    redisMicros: perRequest(used.cpuMicros),
    busiestRedisMicros: perRequest(used.busiestMicros),
    redisCalls: perRequest((await calls()) - callsBefore),
    loadBalancerMicros: perRequest(after.loadBalancerMicros - before.loadBalancerMicros),
    redisBytes: perRequest(used.networkBytes),
    exchangeBytes: perRequest(after.networkBytes - before.networkBytes),
    otherLoad: otherLoad(),
  };
}

/** One after the other, each with full buckets. */
async function measureScopes(): Promise<Exactness[]> {
  const measured: Exactness[] = [];
  for (const scope of allScopes) {
    await sleep(exactness.refillMs);
    measured.push(await measureScope(scope));
  }
  return measured;
}
