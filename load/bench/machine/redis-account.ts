/** What a Redis tells of itself: the CPU time it took, and which process it is. */
import type { Redis } from 'ioredis';

export async function redisCpuMicros(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  return (numberIn(info, 'used_cpu_sys') + numberIn(info, 'used_cpu_user')) * 1_000_000;
}

export const redisPid = async (redis: Redis): Promise<number> => numberIn(await redis.info('server'), 'process_id');

const numberIn = (info: string, name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)![1]);
