/** The sandbox's settings: its environment variables, read, judged and given their defaults. */
import Joi from 'joi';

export interface Settings {
  host: string;
  port: number;
  latencyMs: number;
  latencySpreadMs: number;
  noBidShare: number;
  faultShare: number;
  /** Where others reach the sandbox, if not where it listens. */
  url: string | undefined;
  endsWithParent: boolean;
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
  SANDBOX_HOST: Joi.string().default('127.0.0.1').description('address it listens on'),
  SANDBOX_PORT: Joi.number().integer().min(0).max(65535).default(0).description('its port; 0 picks a free one'),
  SANDBOX_LATENCY_MS: milliseconds().default(5).description('how long every answer takes'),
  SANDBOX_LATENCY_SPREAD_MS: milliseconds().default(0).description('most that a call may take on top of that'),
  SANDBOX_NO_BID_SHARE: share().default(0.1).description('share of the calls that come to nothing'),
  SANDBOX_FAULT_SHARE: share().default(0).description('share of the calls that go wrong, in every way there is'),
  SANDBOX_URL: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .description('where others reach it, for the partners file; unset: where it listens'),
  SANDBOX_STDIN: Joi.string()
    .valid('ignore', 'parent')
    .default('ignore')
    .description('parent: it ends when its standard input is closed, as it is when its parent dies'),
});

export function readSettings(environment: Record<string, string | undefined>): Settings | { problems: string[] } {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
  const { value, error } = variables.validate(given, {
    abortEarly: false,
    stripUnknown: true,
    errors: { wrap: { label: false } },
  });
  return error ? { problems: error.details.map(({ message }) => message) } : toSettings(value);
}

const toSettings = (given: Variables): Settings => ({
  host: given.SANDBOX_HOST,
  port: given.SANDBOX_PORT,
  latencyMs: given.SANDBOX_LATENCY_MS,
  latencySpreadMs: given.SANDBOX_LATENCY_SPREAD_MS,
  noBidShare: given.SANDBOX_NO_BID_SHARE,
  faultShare: given.SANDBOX_FAULT_SHARE,
  url: given.SANDBOX_URL,
  endsWithParent: given.SANDBOX_STDIN === 'parent',
});
