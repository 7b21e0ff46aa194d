/** SIGTERM under load: what was accepted is served, then the exchange exits. */
import type { Fault } from '../fault.ts';

export const drain: Fault = {
  name: 'drain',
  title: 'stop (SIGTERM) under load; recovery is the time until its exit',
  allowance: {
    why: 'after SIGTERM connections are refused: there is no other instance here.',
    max: Infinity,
    covers: ({ dueAtMs, result }, { beganAtMs }) => result === 'refused' && dueAtMs >= beganAtMs - 50,
  },
  maxRecoveryMs: 5_000,
  async run(drill) {
    const redis = await drill.startRedis();
    const exchange = await drill.startExchange({ redisUrl: redis.url });
    await drill.startLoad();
    drill.faultBegins();
    const beganAtMs = performance.now();
    exchange.process.kill('SIGTERM');
    const code = await exchange.exitCode(12_000);
    const tookMs = code === undefined ? Infinity : performance.now() - beganAtMs;
    drill.expect(`exit code ${code ?? 'none'}, goal 0`, code === 0);
    const outcome = await drill.finish({
      metric: { series: '/readyz', shows: (status) => status === 503 },
      logLine: { msg: 'shutting down' },
      isNormal: () => true,
    });
    return { ...outcome, recoveryMs: tookMs };
  },
};
