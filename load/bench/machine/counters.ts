/** Reads the counters of the servers under test: metrics of the exchange, CPU time of Redis. */
import type { Redis } from 'ioredis';

/** Values by name and labels, as in the Prometheus text format. */
export type Metrics = ReadonlyMap<string, number>;

export async function readMetrics(admin: string): Promise<Metrics> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** The sum of all series that match. */
export const sumOf = (metrics: Metrics, series: RegExp): number =>
  [...metrics].filter(([name]) => series.test(name)).reduce((sum, [, value]) => sum + value, 0);

export async function redisCpuMicros(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  return (numberIn(info, 'used_cpu_sys') + numberIn(info, 'used_cpu_user')) * 1_000_000;
}

export const redisPid = async (redis: Redis): Promise<number> => numberIn(await redis.info('server'), 'process_id');

const numberIn = (info: string, name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)![1]);
