/** What the load is aimed at: an exchange of the run's own, with a Redis of its own, or one that is there already. */
import { startRedis } from '../../tests/support/redis-server.ts';
import { startGavel } from '../../tests/support/start-gavel.ts';
import { onlyLoopback } from '../lib/loopback.ts';
import { exchangeSettings, type ScenarioName } from './settings.ts';

export interface Target {
  url: string;
  /** The limits that differ from the defaults, for the scripts to know. */
  settings: Record<string, string>;
  /** Of the primary; undefined where it was not started here. */
  pid?: number;
  /** Ends what was started, the exchange before its Redis; resolves with what went wrong. */
  end(): Promise<string[]>;
}

export async function openTarget(scenario: ScenarioName): Promise<Target> {
  const given = process.env.TARGET_URL;
  return given ? { url: onlyLoopback(given), settings: {}, end: async () => [] } : startTarget(scenario);
}

async function startTarget(scenario: ScenarioName): Promise<Target> {
  const settings = exchangeSettings(scenario);
  const redis = await startRedis();
  try {
    const gavel = await startGavel({ ...settings, REDIS_URL: redis.url });
    return {
      url: new URL(gavel.endpoint).origin,
      settings,
      pid: gavel.process.pid!,
      end: async () => {
        const exitCode = await gavel.end();
        await redis.kill();
        const problems = severeLines(gavel.output());
        return exitCode === 0 ? problems : [...problems, `the exchange ended with exit code ${exitCode}`];
      },
    };
  } catch (error) {
    await redis.kill();
    throw error;
  }
}

/** Of pino's levels 50 is an error. */
const severeLines = (output: string): string[] => output.split('\n').filter((line) => /"level":[56]0\b/.test(line));
