/** The settings of Redis from the REDIS_* variables, and the problems of their combinations. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseRedisNodes, parseRedisUrl, type RedisSettings } from '../limits/redis-settings.ts';

/** Any of them, valid or not. */
export interface RedisVariables {
  REDIS_URL?: string;
  REDIS_SENTINELS?: string;
  REDIS_MASTER?: string;
  REDIS_SENTINEL_PASSWORD?: string;
  REDIS_CLUSTER?: string;
  REDIS_ADDRESS_SLOTS?: string | number;
  REDIS_CA_FILE?: string;
  REDIS_REQUIRED?: string | number;
  AUCTION_LOG?: string;
}

const locations = ['REDIS_URL', 'REDIS_SENTINELS', 'REDIS_CLUSTER'] as const;

/** The problems that concern more than one variable, or the CA file. */
export function redisProblems(variables: RedisVariables): string[] {
  const set = locations.filter((name) => variables[name]);
  const problems: string[] = [];
  if (set.length > 1) problems.push(`${set.join(' and ')} are set; only one of ${locations.join(', ')} is allowed`);
  if (variables.REDIS_SENTINELS && !variables.REDIS_MASTER) {
    problems.push('REDIS_MASTER is not set; REDIS_SENTINELS needs the name of the master');
  }
  if (variables.REDIS_MASTER && !variables.REDIS_SENTINELS) {
    problems.push('REDIS_SENTINELS is not set; REDIS_MASTER is used only with it');
  }
  if (variables.REDIS_SENTINEL_PASSWORD && limitSettings(variables)?.topology !== 'sentinel') {
    problems.push('REDIS_SENTINEL_PASSWORD is set, but Redis is not configured with sentinels');
  }
  if (variables.REDIS_ADDRESS_SLOTS && !variables.REDIS_CLUSTER) {
    problems.push('REDIS_CLUSTER is not set; REDIS_ADDRESS_SLOTS is used only with it');
  }
  if (String(variables.REDIS_REQUIRED ?? '0') === '1' && set.length === 0) {
    problems.push(`REDIS_REQUIRED is 1, but none of ${locations.join(', ')} is set`);
  }
  return [...problems, ...caProblems(variables)];
}

function caProblems(variables: RedisVariables): string[] {
  const { REDIS_CA_FILE: path } = variables;
  if (!path) return [];
  const usesTls = [limitSettings(variables), parseRedisUrl(variables.AUCTION_LOG ?? '')].some((redis) => redis?.tls);
  const problems = usesTls ? [] : ['REDIS_CA_FILE is set, but no Redis address begins with rediss'];
  try {
    readCertificate(path);
  } catch (error) {
    problems.push(`REDIS_CA_FILE must be a file with certificates in PEM format: ${(error as Error).message}`);
  }
  return problems;
}

/** Throws if the file cannot be read or has no certificate. */
const readCertificate = (path: string): X509Certificate => new X509Certificate(readFileSync(path));

/** The Redis of the rate limits. Undefined if none is configured. */
export function redisSettings(variables: RedisVariables): RedisSettings | undefined {
  const settings = limitSettings(variables);
  return settings && withCa(settings, variables);
}

/** The Redis of the auction log. Undefined if the log is a file. */
export function auctionLogSettings(variables: RedisVariables): RedisSettings | undefined {
  const settings = parseRedisUrl(variables.AUCTION_LOG ?? '');
  return settings && withCa(settings, variables);
}

function limitSettings(variables: RedisVariables): RedisSettings | undefined {
  const { REDIS_URL, REDIS_SENTINELS, REDIS_MASTER, REDIS_CLUSTER, REDIS_SENTINEL_PASSWORD, REDIS_ADDRESS_SLOTS } =
    variables;
  const sentinels = REDIS_SENTINELS && parseRedisNodes(REDIS_SENTINELS, 'sentinel');
  const settings =
    (REDIS_URL && parseRedisUrl(REDIS_URL)) ||
    (sentinels && { ...sentinels, ...(REDIS_MASTER && { master: REDIS_MASTER }) }) ||
    (REDIS_CLUSTER && parseRedisNodes(REDIS_CLUSTER, 'cluster')) ||
    undefined;
  return (
    settings && {
      ...settings,
      ...(REDIS_SENTINEL_PASSWORD && { sentinelPassword: REDIS_SENTINEL_PASSWORD }),
      ...(REDIS_ADDRESS_SLOTS && { addressSlots: Number(REDIS_ADDRESS_SLOTS) }),
    }
  );
}

const withCa = (settings: RedisSettings, { REDIS_CA_FILE }: RedisVariables): RedisSettings =>
  settings.tls && REDIS_CA_FILE ? { ...settings, tls: { ca: readFileSync(REDIS_CA_FILE, 'utf8') } } : settings;
