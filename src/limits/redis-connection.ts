/** How this folder talks to Redis: an ioredis client, and rate-limit-redis's command path on top. */
import { Cluster, type Redis, type RedisOptions } from 'ioredis';
import { type RedisReply, RedisStore } from 'rate-limit-redis';
import { DatabaseClient } from './database-client.ts';
import type { RedisSettings } from './redis-settings.ts';
import { retryDelayMs } from './retry-delay.ts';
import { ignoreFurtherErrors } from './tls-errors.ts';

export type RedisClient = Redis | Cluster;
type Options = Omit<RedisOptions, 'replyMapping'>;

/** The longest that Redis can delay a request: far above a round trip, far below what callers wait. */
export const commandTimeoutMs = 400;

/** The braces are a hash tag: a Redis Cluster keeps all keys with one tag in one slot, as one script needs them to be. */
const keyPrefix = (tag: string): string => `gavel:{${tag}}:`;

const connectTimeoutMs = 1_000;
/**
 * A server that is silent for this long with a command in flight is disconnected, so that the next attempt finds its
 * successor. The connection to a server that vanished would otherwise stay open for minutes.
 */
const silenceTimeoutMs = 1_000;

/** Commands fail immediately while disconnected, and are never sent twice. */
export function connectToRedis(settings: RedisSettings, onError: (error: Error) => void): RedisClient {
  if (settings.tls) ignoreFurtherErrors();
  const redis = settings.topology === 'cluster' ? createCluster(settings) : new DatabaseClient(singleOptions(settings));
  let sentinelError: Error | undefined;
  /** Of this attempt to connect to a cluster. */
  let nodeError: Error | undefined;
  redis.on('sentinelError', (error: Error) => (sentinelError = error));
  redis.on('ready', () => (sentinelError = undefined));
  redis.on('connecting', () => (nodeError = undefined));
  redis.on('node error', (error: Error) => {
    if (!isClosed(error)) nodeError = error;
  });
  redis.on('error', (error: Error) => {
    // ioredis also reports the end of its list of sentinels if none of them failed.
    if (!error.message.startsWith('All sentinels are unreachable')) onError(withNodeError(error, nodeError));
    else if (sentinelError) onError(withoutMaster(sentinelError, settings));
  });
  return redis;
}

/** ioredis does not pass on why a connection to a sentinel could not be made. */
function withoutMaster(error: Error, { tls }: RedisSettings): Error {
  const hint = tls && isClosed(error) ? ' (does it use TLS, with the CA of REDIS_CA_FILE?)' : '';
  return new Error(`no sentinel returned a master; last: ${error.message}${hint}`);
}

const isClosed = ({ message }: Error): boolean => message.includes('Connection is closed');

const commonOptions = ({ username, password, tls }: RedisSettings): Options => ({
  protocol: 2,
  // A command that is sent again after a broken connection would charge twice.
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // A Redis that is loading its data rejects the script; the limiter degrades on that error.
  enableReadyCheck: false,
  disableClientInfo: true,
  connectTimeout: connectTimeoutMs,
  socketTimeout: silenceTimeoutMs,
  // After a failover the old address may belong to a replica. Some versions wrap the error of a script.
  reconnectOnError: ({ message }) => message.includes('READONLY'),
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
  ...(tls && { tls }),
});

function singleOptions(settings: RedisSettings): Options {
  const { topology, nodes, database = 0 } = settings;
  return {
    ...commonOptions(settings),
    ...(topology === 'sentinel' ? sentinelOptions(settings) : nodes[0]),
    db: database,
    enableOfflineQueue: false,
    retryStrategy: retryDelayMs,
  };
}

/** The sentinels are queried for the address of the master before every attempt to connect. */
const sentinelOptions = ({ nodes, master, sentinelPassword, tls }: RedisSettings): Options => ({
  sentinels: [...nodes],
  name: master!,
  sentinelCommandTimeout: commandTimeoutMs,
  sentinelRetryStrategy: () => retryDelayMs(1),
  // Only those of the configuration: the addresses that sentinels report may not be reachable from here.
  updateSentinels: false,
  ...(sentinelPassword !== undefined && { sentinelPassword }),
  ...(tls && { sentinelTLS: tls, enableTLSForSentinelMode: true }),
});

function createCluster(settings: RedisSettings): Cluster {
  const cluster = new Cluster([...settings.nodes], {
    redisOptions: commonOptions(settings),
    enableOfflineQueue: false,
    enableReadyCheck: false,
    clusterRetryStrategy: retryDelayMs,
    // The delays that would send a command again after a broken connection, when it may have been executed.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    // A redirected command has not been executed. Two redirections are normal while a slot migrates.
    maxRedirections: 3,
    slotsRefreshTimeout: connectTimeoutMs,
    // Names stay names: a certificate is checked against the name of the configuration.
    dnsLookup: (address, callback) => callback(null, address),
  });
  // ioredis connects to a node at its first command, and commands fail until that is done. Replicas may become masters.
  cluster.on('+node', (node: Redis) => {
    if (node.status === 'wait') node.connect().catch(() => {}); // the error is reported by the cluster
  });
  return cluster;
}

/** A cluster client reports the failure of the last node separately, and why a connection was closed only as an event of its node. */
function withNodeError(error: Error & { lastNodeError?: Error }, nodeError: Error | undefined): Error {
  if (!error.lastNodeError) return error;
  const { message } = nodeError ?? error.lastNodeError;
  return new Error(`${error.message} ${message}`, { cause: error });
}

/** Waits until commands can be sent, in a cluster to each master, at most `timeoutMs` for either. */
export async function untilConnected(redis: RedisClient, timeoutMs: number): Promise<void> {
  await untilReady(redis, timeoutMs);
  if (!(redis instanceof Cluster)) return;
  await Promise.all(redis.nodes('master').map((node) => untilReady(node, timeoutMs)));
}

async function untilReady(redis: RedisClient, timeoutMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  redis.once('ready', resolve);
  await promise;
  clearTimeout(timer);
  redis.off('ready', resolve);
}

/**
 * rate-limit-redis's store as key prefix and command path. Its fixed-window counters are not used, so `init`, which would
 * load their scripts, is never called.
 */
export const createRedisStore = (redis: RedisClient, tag = 'limits'): RedisStore =>
  new RedisStore({
    prefix: keyPrefix(tag),
    sendCommand: (command: string, ...args: string[]) => redis.call(command, ...args) as Promise<RedisReply>,
  });
