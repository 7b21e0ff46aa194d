/** The environment variables: one schema for their types, limits, defaults and description in the documents. */
import { availableParallelism } from 'node:os';
import Joi from 'joi';
import { compile } from 'proxy-addr';

/** The environment as read: one member a variable. */
export interface Environment {
  PORT: number;
  HOST: string;
  ADMIN_PORT: number;
  ADMIN_HOST: string;
  WORKERS: number;
  REDIS_URL?: string;
  LIMIT_GLOBAL: number;
  LIMIT_PUBLISHER: number;
  LIMIT_IP: number;
  TRUST_PROXY: string | number;
  DEMAND_FILE?: string;
  TIMEOUT_MS: number;
  SOFT_TIMEOUT_MS: number;
  DEFAULT_AUCTION_TYPE: 1 | 2;
  LOG_LEVEL: string;
  LOG_SAMPLE: number;
  DRAIN_MS: number;
}

const port = () => Joi.number().integer().min(0).max(65535);
const limit = () => Joi.number().integer().min(1).max(1_000_000);
const milliseconds = () => Joi.number().integer();

/** Hops, or addresses; Express's `true` would let any client choose its own address, so it is no option here. */
const trustedProxies: Joi.CustomValidator<string, string | number> = (value, helpers) => {
  if (/^\d+$/.test(value)) return Number(value);
  try {
    compile(value.split(',').map((entry) => entry.trim())); // what Express will do with it
    return value;
  } catch {
    return helpers.error('trustProxy');
  }
};

const redisUrl: Joi.CustomValidator<string> = (value, helpers) => {
  const url = URL.parse(value);
  const isRedis =
    url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && /^\/?\d*$/.test(url.pathname);
  return isRedis ? value : helpers.error('redisUrl');
};

export const environment = Joi.object<Environment>({
  PORT: port().default(8080).description('port of the bidding endpoint; 0 picks a free one'),
  HOST: Joi.string().default('0.0.0.0').description('address the bidding endpoint listens on'),
  ADMIN_PORT: port().default(9464).description('port of the admin server; 0 picks a free one'),
  ADMIN_HOST: Joi.string().default('127.0.0.1').description('address the admin server listens on'),
  WORKERS: Joi.number()
    .integer()
    .min(1)
    .max(256)
    .default(() => availableParallelism())
    .note('the available cores')
    .description('worker processes'),
  REDIS_URL: Joi.string()
    .custom(redisUrl)
    .messages({
      redisUrl: '{#label} must be redis:// or rediss:// with a host, and a number as its path where it has one',
    })
    .note('unset: the primary holds the buckets for its workers')
    .description(
      'Redis that holds the token buckets of all machines: redis:// or rediss://, with user, password and db',
    ),
  LIMIT_GLOBAL: limit().default(10_000).description('tokens, and tokens a second, for all requests together'),
  LIMIT_PUBLISHER: limit().default(1_000).description('tokens, and tokens a second, for each publisher'),
  LIMIT_IP: limit().default(100).description('tokens, and tokens a second, for each client address'),
  TRUST_PROXY: Joi.string()
    .custom(trustedProxies)
    .messages({ trustProxy: '{#label} must be a number of hops or addresses; "true" would trust anybody' })
    .default('loopback')
    .description("proxies whose X-Forwarded-For is believed: hops (0: nobody), or addresses as in Express's setting"),
  DEMAND_FILE: Joi.string().note('unset: the sandbox demand').description('path of the partners file'),
  TIMEOUT_MS: milliseconds()
    .min(50)
    .max(5000)
    .default(500)
    .description("hard budget of an auction; a request's own tmax may only shorten it"),
  SOFT_TIMEOUT_MS: milliseconds()
    .min(10)
    .max(5000)
    .default(150)
    .description('from here on an auction ends as soon as one valid bid is at hand'),
  DEFAULT_AUCTION_TYPE: Joi.number()
    .valid(1, 2)
    .default(1)
    .description('1 first price, 2 second price, where a request does not say (`at`)'),
  LOG_LEVEL: Joi.string()
    .valid('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
    .default('info')
    .description('least severe level that is logged'),
  LOG_SAMPLE: Joi.number()
    .min(0)
    .max(1)
    .default(0.01)
    .description('share of the answers 200 and 204 that is logged; refusals and errors always are'),
  DRAIN_MS: milliseconds()
    .min(0)
    .max(300_000)
    .default(10_000)
    .description('longest wait for requests in flight at shutdown'),
});
