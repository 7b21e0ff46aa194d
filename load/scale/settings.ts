/** What `make scale` starts, offers and expects. */

export const instanceCounts = [1, 2, 4];
export const topologies = ['one Redis', 'cluster of three'] as const;
export type TopologyName = (typeof topologies)[number];

/** RFC 2544 reserves this network for benchmarks. The bridge has the first address; Redis and HAProxy listen on it. */
export const network = { bridge: 'gvscale-br', prefix: 'gvscale-', bridgeAddress: '198.18.77.1', maskBits: 24 };
export const instanceAddress = (instance: number): string => `198.18.77.${instance + 11}`;

export const ports = { endpoint: 8080, admin: 9464, loadBalancer: 8180, redis: [7101, 7102, 7103] };
export const workersPerInstance = 1;

/** Cost is measured far below the limits, exactness with limits that two cores can exceed. */
export const unreachedLimits = { ip: 1_000_000, publisher: 1_000_000, global: 1_000_000 };
export const loweredLimits = { ip: 20, publisher: 200, global: 1_000 };
export type Limits = typeof loweredLimits;

/** The rate per instance stays the same, so that the cost per request would too if growing were free. */
export const cost = { perSecondPerInstance: rateFromEnvironment(), warmUpSeconds: 2, seconds: 3 };
export const exactness = { seconds: 2, refillMs: 1_200 };

/** Tokens of a bucket that may remain: the one being refilled, and one whose request came just before it. */
export const maxMissingTokens = 2;

function rateFromEnvironment(): number {
  const value = process.env.SCALE_RATE || '750';
  if (/^[1-9]\d*$/.test(value)) return Number(value);
  process.stderr.write(`SCALE_RATE must be a whole number of requests per second and instance; got ${value}\n`);
  process.exit(2);
}
