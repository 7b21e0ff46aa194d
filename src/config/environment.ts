/** The schema of the environment variables: types, ranges, defaults, and the descriptions for docs/configuration.md. */
import { accessSync, constants, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import Joi from 'joi';
import { compile } from 'proxy-addr';
import { addressSlotCounts, defaultAddressSlots, parseRedisNodes, parseRedisUrl } from '../limits/redis-settings.ts';

/** The validated environment, one field per variable. */
export interface Environment {
  PORT: number;
  HOST: string;
  ADMIN_PORT: number;
  ADMIN_HOST: string;
  ADMIN_TOKEN?: string;
  WORKERS: number;
  REDIS_URL?: string;
  REDIS_SENTINELS?: string;
  REDIS_MASTER?: string;
  REDIS_SENTINEL_PASSWORD?: string;
  REDIS_CLUSTER?: string;
  REDIS_ADDRESS_SLOTS?: number;
  REDIS_CA_FILE?: string;
  REDIS_REQUIRED: 0 | 1;
  INSTANCES: number;
  LIMIT_GLOBAL: number;
  LIMIT_PUBLISHER: number;
  LIMIT_IP: number;
  TRUST_PROXY: string | number;
  DEMAND_FILE?: string;
  RATES_FILE?: string;
  PUBLISHERS_FILE?: string;
  EXCHANGE_DOMAIN?: string;
  TIMEOUT_MS: number;
  SOFT_TIMEOUT_MS: number;
  DEFAULT_AUCTION_TYPE: 1 | 2;
  LOG_LEVEL: string;
  LOG_SAMPLE: number;
  AUCTION_LOG?: string;
  DRAIN_MS: number;
}

const port = () => Joi.number().integer().min(0).max(65535);
const limit = () => Joi.number().integer().min(1).max(1_000_000);
const milliseconds = () => Joi.number().integer();

const host = () =>
  Joi.string()
    .custom((value: string, helpers) => (isHost(value) ? value : helpers.error('host')))
    .messages({ host: '{#label} must be an IP address or a host name' });

/** What ends in a number is an IP address, or none. */
const isHost = (value: string): boolean =>
  isIP(value) !== 0 || (/^[\w-]+(?:\.[\w-]+)*\.?$/.test(value) && !/(?:^|\.)\d+\.?$/.test(value));

/** With more, every client would be trusted. */
const maxHops = 10;

/** A hop count or addresses. Express's `true` is rejected: it would let any client choose its own address. */
const trustedProxies: Joi.CustomValidator<string, string | number> = (value, helpers) => {
  if (/^\d+$/.test(value)) return Number(value) <= maxHops ? Number(value) : helpers.error('trustProxy');
  try {
    compile(value.split(',').map((entry) => entry.trim())); // Express compiles the setting in the same way
    return value;
  } catch {
    return helpers.error('trustProxy');
  }
};

const redisUrl: Joi.CustomValidator<string> = (value, helpers) =>
  parseRedisUrl(value) ? value : helpers.error('redisUrl');

/** Shown for REDIS_URL and AUCTION_LOG. */
const redisUrlForms =
  'redis://[user:password@]host[:port][/database] or redis+sentinel://[user:password@]host[:port],…/master[/database], with rediss for TLS';

const redisNodes = (topology: 'sentinel' | 'cluster') =>
  Joi.string()
    .custom((value: string, helpers) => (parseRedisNodes(value, topology) ? value : helpers.error('redisNodes')))
    .messages({
      redisNodes:
        '{#label} must be a list host:port,host:port; it may begin with redis:// or rediss://, then user:password@',
    });

/** A Redis URL, or the path of a file that this process may append to or create. */
const auctionLog: Joi.CustomValidator<string> = (value, helpers) => {
  if (parseRedisUrl(value)) return value;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return helpers.error('auctionLog');
  try {
    const stats = statSync(value, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return helpers.error('auctionLogFile', { reason: 'it is a directory' });
    accessSync(stats ? value : dirname(value), constants.W_OK);
    return value;
  } catch (error) {
    return helpers.error('auctionLogFile', { reason: (error as Error).message });
  }
};

export const environment = Joi.object<Environment>({
  PORT: port().default(8080).description('port of the bid endpoint; 0 selects a free port'),
  HOST: host().default('0.0.0.0').description('address that the bid endpoint listens on'),
  ADMIN_PORT: port().default(9464).description('port of the admin server; 0 selects a free port'),
  ADMIN_HOST: host().default('127.0.0.1').description('address that the admin server listens on'),
  ADMIN_TOKEN: Joi.string()
    .min(8)
    .max(256)
    .pattern(/^[\x21-\x7e]+$/)
    .messages({ 'string.pattern.base': '{#label} must consist of printable ASCII characters without spaces' })
    .note('unset: the console needs no login, and is off unless ADMIN_HOST is a loopback address')
    .description('secret of at least 8 characters that the [console](console.md) and its API require'),
  WORKERS: Joi.number()
    .integer()
    .min(1)
    .max(256)
    .default(() => availableParallelism())
    .note('available cores')
    .description('number of worker processes'),
  REDIS_URL: Joi.string()
    .custom(redisUrl)
    .messages({
      redisUrl: `{#label} must be ${redisUrlForms}`,
    })
    .note('unset: token buckets in the primary, shared by its workers')
    .description(
      'Redis for token buckets shared by all machines: `redis://[user:password@]host[:port][/database]`, or with sentinels `redis+sentinel://[user:password@]host:port,…/master[/database]`; `rediss` instead of `redis` for TLS',
    ),
  REDIS_SENTINELS: redisNodes('sentinel')
    .note('unset')
    .description(
      'instead of REDIS_URL: the sentinels, `host:port,…`; `rediss://` for TLS and `user:password@` of the Redis servers may precede the list',
    ),
  REDIS_MASTER: Joi.string().note('unset').description('name of the master; required with REDIS_SENTINELS'),
  REDIS_SENTINEL_PASSWORD: Joi.string().note('unset').description('password of the sentinels, if they have one'),
  REDIS_CLUSTER: redisNodes('cluster')
    .note('unset')
    .description(
      'instead of REDIS_URL: nodes of a Redis Cluster, `host:port,…`; `rediss://` for TLS and `user:password@` may precede the list',
    ),
  REDIS_ADDRESS_SLOTS: Joi.number()
    .valid(...addressSlotCounts)
    .note(`${defaultAddressSlots}`)
    .description(
      'number of slots of a Redis Cluster over which address buckets are spread: at least as many as masters; the same on all machines',
    ),
  REDIS_CA_FILE: Joi.string()
    .note('unset: the authorities that Node.js knows')
    .description('file in PEM format with the certificate authority of Redis, for TLS'),
  REDIS_REQUIRED: Joi.number()
    .valid(0, 1)
    .default(0)
    .description('1: `/readyz` is 503 while a worker cannot use Redis; requests are still served in degraded mode'),
  INSTANCES: Joi.number()
    .integer()
    .min(1)
    .max(10_000)
    .default(1)
    .description('expected number of machines; divides the limits on a machine that has not reached Redis yet'),
  LIMIT_GLOBAL: limit()
    .default(10_000)
    .description('bucket size and refill rate (tokens per second) for all requests together'),
  LIMIT_PUBLISHER: limit().default(1_000).description('bucket size and refill rate (tokens per second) per publisher'),
  LIMIT_IP: limit().default(100).description('bucket size and refill rate (tokens per second) per client IP address'),
  TRUST_PROXY: Joi.string()
    .custom(trustedProxies)
    .messages({
      trustProxy:
        '{#label} must be a number of hops up to 10 or a list of addresses; "true" is not allowed, because it trusts every client',
    })
    .default('loopback')
    .description(
      "proxies whose X-Forwarded-For header is trusted: number of hops (0 trusts none, at most 10), or addresses as in Express's `trust proxy`",
    ),
  DEMAND_FILE: Joi.string().note('unset: sandbox demand').description('path of the partners file'),
  RATES_FILE: Joi.string()
    .note('unset: US dollars only')
    .description("path of the exchange rates, in the format of Prebid's currency file; read again when it changes"),
  PUBLISHERS_FILE: Joi.string()
    .note('unset: the same limits and terms for all publishers')
    .description(
      'path of the publishers file: limits, API keys, floors and partners per publisher (`docs/publishers.md`)',
    ),
  EXCHANGE_DOMAIN: Joi.string()
    .domain({ tlds: false })
    .note('unset: the supply chain is passed on unchanged')
    .description('domain of the exchange (`asi`) in the supply chain that partners receive'),
  TIMEOUT_MS: milliseconds()
    .min(50)
    .max(5000)
    .default(500)
    .description('maximum duration of an auction; `tmax` of the request can only shorten it'),
  SOFT_TIMEOUT_MS: milliseconds()
    .min(10)
    .max(5000)
    .default(150)
    .description(
      'after this time an auction ends as soon as it has one valid bid; never, if it is `TIMEOUT_MS` or more',
    ),
  DEFAULT_AUCTION_TYPE: Joi.number()
    .valid(1, 2)
    .default(1)
    .description('auction type if the request has no `at`: 1 is first price, 2 is second price'),
  LOG_LEVEL: Joi.string()
    .valid('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
    .default('info')
    .description('minimum severity of log lines; with `warn` or `error`, invalid and refused requests have no lines'),
  LOG_SAMPLE: Joi.number()
    .min(0)
    .max(1)
    .default(0.01)
    .description(
      'fraction of 200 and 204 responses that is logged; refusals and errors are all logged, up to a rate cap, if `LOG_LEVEL` is `info` or lower',
    ),
  AUCTION_LOG: Joi.string()
    .custom(auctionLog)
    .messages({
      auctionLog: `{#label} must be a file path, or ${redisUrlForms}`,
      auctionLogFile: '{#label} cannot be written: {#reason}',
    })
    .note('unset: no auction log')
    .description(
      'log of impressions sold, for reconciliation: path of a file that workers append to, or a URL as in REDIS_URL for a Redis Stream',
    ),
  DRAIN_MS: milliseconds()
    .min(0)
    .max(300_000)
    .default(10_000)
    .description('maximum wait for requests in flight at shutdown'),
});
