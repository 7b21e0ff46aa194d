/** Waits for something to come true, and gives up in time to say what did not. */
import { setTimeout as sleep } from 'node:timers/promises';

const longestMs = 30_000;

export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + longestMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`did not come true: ${what}`);
    await sleep(5);
  }
}
