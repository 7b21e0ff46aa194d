/** The settings of the sandbox, read from its environment variables and validated. */
import Joi from 'joi';

export interface Settings {
  host: string;
  port: number;
  latencyMs: number;
  latencySpreadMs: number;
  noBidShare: number;
  faultShare: number;
  /** The public URL, if it differs from the listening address. */
  url: string | undefined;
  exitsWithParent: boolean;
}

interface Variables {
  SANDBOX_HOST: string;
  SANDBOX_PORT: number;
  SANDBOX_LATENCY_MS: number;
  SANDBOX_LATENCY_SPREAD_MS: number;
  SANDBOX_NO_BID_SHARE: number;
  SANDBOX_FAULT_SHARE: number;
  SANDBOX_URL?: string;
  SANDBOX_STDIN: 'ignore' | 'parent';
}

const milliseconds = () => Joi.number().integer().min(0).max(60_000);
const share = () => Joi.number().min(0).max(1);

const variables = Joi.object<Variables>({
  SANDBOX_HOST: Joi.string().default('127.0.0.1').description('address that the sandbox listens on'),
  SANDBOX_PORT: Joi.number().integer().min(0).max(65535).default(0).description('port; 0 selects a free port'),
  SANDBOX_LATENCY_MS: milliseconds().default(5).description('latency of every response'),
  SANDBOX_LATENCY_SPREAD_MS: milliseconds().default(0).description('maximum additional latency; varies per call'),
  SANDBOX_NO_BID_SHARE: share().default(0.1).description('fraction of calls without a bid or product'),
  SANDBOX_FAULT_SHARE: share()
    .default(0)
    .description('fraction of calls with a simulated fault; all kinds of faults are equally frequent'),
  SANDBOX_URL: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .description('public URL for the partners file; unset: the listening address'),
  SANDBOX_STDIN: Joi.string()
    .valid('ignore', 'parent')
    .default('ignore')
    .description('parent: exit when standard input closes, which happens when the parent process exits'),
});

export function readSettings(environment: Record<string, string | undefined>): Settings | { problems: string[] } {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
  const { value, error } = variables.validate(set, {
    abortEarly: false,
    stripUnknown: true,
    errors: { wrap: { label: false } },
  });
  return error ? { problems: error.details.map(({ message }) => message) } : toSettings(value);
}

const toSettings = (env: Variables): Settings => ({
  host: env.SANDBOX_HOST,
  port: env.SANDBOX_PORT,
  latencyMs: env.SANDBOX_LATENCY_MS,
  latencySpreadMs: env.SANDBOX_LATENCY_SPREAD_MS,
  noBidShare: env.SANDBOX_NO_BID_SHARE,
  faultShare: env.SANDBOX_FAULT_SHARE,
  url: env.SANDBOX_URL,
  exitsWithParent: env.SANDBOX_STDIN === 'parent',
});
