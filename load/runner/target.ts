/** The exchange that a scenario loads: started for the run together with a Redis, or already running at TARGET_URL. */
import { startRedis } from '../../tests/support/redis-server.ts';
import { startGavel } from '../../tests/support/start-gavel.ts';
import { requireLoopback } from '../lib/loopback.ts';

export const scenarios = ['smoke', 'steady', 'spike', 'limits', 'slow-partner', 'soak'] as const;
export type ScenarioName = (typeof scenarios)[number];

export const isScenario = (name: string | undefined): name is ScenarioName =>
  (scenarios as readonly (string | undefined)[]).includes(name);

const scenarioSettings: Partial<Record<ScenarioName, Record<string, string>>> = {
  // A tenth of the default for publishers, so that two cores can exceed it.
  limits: { LIMIT_IP: '100', LIMIT_PUBLISHER: '100' },
  // 120 to 160 ms, around the soft timeout of 150 ms.
  'slow-partner': { SANDBOX_LATENCY_MS: '120', SANDBOX_LATENCY_SPREAD_MS: '40' },
};

export interface Target {
  url: string;
  /** The environment of the exchange; the scripts read the limits from it. */
  settings: Record<string, string>;
  /** The primary; undefined if the exchange was already running. */
  pid?: number;
  /** Stops what was started, the exchange before its Redis; resolves with the problems found. */
  stop(): Promise<string[]>;
}

export async function openTarget(scenario: ScenarioName): Promise<Target> {
  const url = process.env.TARGET_URL;
  return url ? { url: requireLoopback(url), settings: {}, stop: async () => [] } : startTarget(scenario);
}

async function startTarget(scenario: ScenarioName): Promise<Target> {
  // An empty DEMAND_FILE selects the sandbox demand; k6 acts as the trusted proxy.
  const settings = { DEMAND_FILE: '', TRUST_PROXY: 'loopback', ...scenarioSettings[scenario] };
  const redis = await startRedis();
  try {
    const gavel = await startGavel({ ...settings, REDIS_URL: redis.url });
    return {
      url: new URL(gavel.endpoint).origin,
      settings,
      pid: gavel.process.pid!,
      stop: async () => {
        const exitCode = await gavel.end();
        await redis.kill();
        const problems = errorLines(gavel.output());
        return exitCode === 0 ? problems : [...problems, `the exchange exited with code ${exitCode}`];
      },
    };
  } catch (error) {
    await redis.kill();
    throw error;
  }
}

/** pino logs errors at level 50 and fatal errors at 60. */
const errorLines = (output: string): string[] => output.split('\n').filter((line) => /"level":[56]0\b/.test(line));
