/** The configuration: read from the environment and the files that it names, validated, typed and frozen. */
import type { PartnerSettings } from '../demand/adapter.ts';
import type { Limits } from '../limits/rate-limiter.ts';
import type { RedisSettings } from '../limits/redis-settings.ts';
import type { RatesTable } from '../money/rates.ts';
import type { PublishersSettings } from '../publishers/publishers-settings.ts';
import { ConfigError, describeProblems, reportAllProblems } from './config-error.ts';
import { type Environment, environment } from './environment.ts';
import { readPartnersFile } from './partners-file.ts';
import { readPublishersFile } from './publishers-file.ts';
import { readRatesFile } from './rates-file.ts';
import { auctionLogSettings, redisProblems, redisSettings } from './redis-variables.ts';

export interface Config {
  endpoint: { port: number; host: string };
  /** Without a token the console is open on a loopback address and off elsewhere. */
  admin: { port: number; host: string; token: string | undefined };
  workers: number;
  /** Undefined: the primary holds the token buckets. */
  redis: RedisSettings | undefined;
  /** The instance is not ready while a worker cannot use Redis. */
  redisRequired: boolean;
  /** The expected number of machines. */
  instances: number;
  limits: Limits;
  trustProxy: string | number;
  /** Undefined without DEMAND_FILE: the primary then starts the sandbox and uses its partners. */
  partners: readonly PartnerSettings[] | undefined;
  /** Undefined without RATES_FILE. */
  rates: { file: string; table: RatesTable } | undefined;
  /** Undefined without PUBLISHERS_FILE. */
  publishers: PublishersSettings | undefined;
  exchangeDomain: string | undefined;
  timeoutMs: number;
  softTimeoutMs: number;
  defaultAuctionType: 1 | 2;
  logLevel: string;
  logSample: number;
  auctionLog: { file: string } | { redis: RedisSettings } | undefined;
  drainMs: number;
}

/** EX_CONFIG of sysexits.h. */
const exitInvalidConfig = 78;

/** Reads the configuration of this process; if it is invalid, prints every problem and exits. */
export function readConfigOrExit(print: (lines: string) => void): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    print(`gavel: ${error.message}\n${error.problems.map((problem) => `  - ${problem}\n`).join('')}`);
    process.exit(exitInvalidConfig);
  }
}

const wildcards: readonly string[] = ['0.0.0.0', '::'];

function portProblems({ PORT, HOST, ADMIN_PORT, ADMIN_HOST }: Environment): string[] {
  const hosts = [HOST, ADMIN_HOST];
  const isSame =
    PORT === ADMIN_PORT && PORT !== 0 && (HOST === ADMIN_HOST || hosts.some((host) => wildcards.includes(host)));
  return isSame ? [`ADMIN_PORT must differ from PORT; both are ${PORT}`] : [];
}

/** Throws ConfigError with the problems of the environment and of all files. */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''));
  const { value, error } = environment.validate(set, { ...reportAllProblems, stripUnknown: true });
  const demand = variables.DEMAND_FILE ? readPartnersFile(variables.DEMAND_FILE, variables) : { partners: undefined };
  const rates = variables.RATES_FILE ? readRatesFile(variables.RATES_FILE) : { table: undefined };
  const problems = [
    ...(error ? describeProblems(error) : []),
    ...portProblems(value as Environment),
    ...redisProblems(set),
  ];
  const partners = 'problems' in demand ? undefined : demand.partners;
  const table = 'problems' in rates ? undefined : rates.table;
  if ('problems' in demand) problems.push(...demand.problems);
  if ('problems' in rates) problems.push(...rates.problems);
  const dollarsPer = 'problems' in rates ? undefined : (table?.dollarsPer ?? {});
  const publishers = variables.PUBLISHERS_FILE
    ? readPublishersFile(variables.PUBLISHERS_FILE, { partners, dollarsPer })
    : { publishers: undefined };
  if ('problems' in publishers) problems.push(...publishers.problems);
  if (problems.length > 0 || 'problems' in publishers) throw new ConfigError(problems);
  return Object.freeze(toConfig(value as Environment, { partners, table, publishers: publishers.publishers }));
}

interface FileContents {
  partners: Config['partners'];
  table: RatesTable | undefined;
  publishers: Config['publishers'];
}

function toConfig(env: Environment, { partners, table, publishers }: FileContents): Config {
  return {
    endpoint: { port: env.PORT, host: env.HOST },
    admin: { port: env.ADMIN_PORT, host: env.ADMIN_HOST, token: env.ADMIN_TOKEN },
    workers: env.WORKERS,
    redis: redisSettings(env),
    redisRequired: env.REDIS_REQUIRED === 1,
    instances: env.INSTANCES,
    limits: {
      global: env.LIMIT_GLOBAL,
      publisher: env.LIMIT_PUBLISHER,
      ip: env.LIMIT_IP,
      ...(publishers && { reservedShare: publishers.reservedShare }),
    },
    trustProxy: env.TRUST_PROXY,
    partners,
    rates: table && { file: env.RATES_FILE!, table },
    publishers,
    exchangeDomain: env.EXCHANGE_DOMAIN,
    timeoutMs: env.TIMEOUT_MS,
    softTimeoutMs: env.SOFT_TIMEOUT_MS,
    defaultAuctionType: env.DEFAULT_AUCTION_TYPE,
    logLevel: env.LOG_LEVEL,
    logSample: env.LOG_SAMPLE,
    auctionLog: toAuctionLog(env),
    drainMs: env.DRAIN_MS,
  };
}

function toAuctionLog(env: Environment): Config['auctionLog'] {
  const redis = auctionLogSettings(env);
  if (redis) return { redis };
  return env.AUCTION_LOG === undefined ? undefined : { file: env.AUCTION_LOG };
}
