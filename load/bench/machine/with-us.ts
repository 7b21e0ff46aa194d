/** What a benchmark starts ends with it, however it ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RedisServer, startRedis } from '../../../tests/support/redis-server.ts';

const ends: (() => void)[] = [];
process.on('exit', () => {
  for (const end of ends.toReversed()) end();
});

/** 128 and the number of the signal, as shells tell it. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 };
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(exitCodes[signal]));

export const endWithUs = (end: () => void): number => ends.push(end);

export function folderOfOurs(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gavel-bench-'));
  endWithUs(() => rmSync(folder, { recursive: true, maxRetries: 3 }));
  return folder;
}

export async function redisOfOurs(): Promise<RedisServer> {
  const redis = await startRedis();
  endWithUs(() => redis.signal('SIGKILL'));
  return redis;
}
