/** Polls until a condition holds; fails with its description after a timeout. */
import { setTimeout as sleep } from 'node:timers/promises';

const timeoutMs = 90_000;

export async function until(description: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`timed out waiting until ${description}`);
    await sleep(20);
  }
}
