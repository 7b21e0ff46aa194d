/** Environment and partners file in, the configuration out; all problems of both are told at once. */
import { type Environment, environment } from './environment.ts';
import type { Config } from './config.ts';
import { readPartnersFile } from './partners-file.ts';
import { BadConfiguration, describeProblems, readAllProblems } from './problems.ts';

/** Throws BadConfiguration. */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const { value, error } = environment.validate(given, { ...readAllProblems, stripUnknown: true });
  const demand = variables.DEMAND_FILE ? readPartnersFile(variables.DEMAND_FILE) : { partners: undefined };
  const problems = error ? describeProblems(error) : [];
  if ('problems' in demand) problems.push(...demand.problems);
  if (problems.length > 0 || 'problems' in demand) throw new BadConfiguration(problems);
  return Object.freeze(toConfig(value as Environment, demand.partners));
}

function toConfig(env: Environment, partners: Config['partners']): Config {
  return {
    endpoint: { port: env.PORT, host: env.HOST },
    admin: { port: env.ADMIN_PORT, host: env.ADMIN_HOST },
    workers: env.WORKERS,
    redisUrl: env.REDIS_URL,
    limits: { global: env.LIMIT_GLOBAL, publisher: env.LIMIT_PUBLISHER, ip: env.LIMIT_IP },
    trustProxy: env.TRUST_PROXY,
    partners,
    timeoutMs: env.TIMEOUT_MS,
    softTimeoutMs: env.SOFT_TIMEOUT_MS,
    defaultAuctionType: env.DEFAULT_AUCTION_TYPE,
    logLevel: env.LOG_LEVEL,
    logSample: env.LOG_SAMPLE,
    drainMs: env.DRAIN_MS,
  };
}
