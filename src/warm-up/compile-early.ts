/** Makes V8 compile sooner what runs often. */
import { setFlagsFromString } from 'node:v8';

/**
 * How often a function runs before each of V8's compilers gets it, and how often after the types that it has seen have changed: a quarter of
 * the defaults or less. With those, what runs 50 times per second has its final form after a minute or more (decision 34).
 */
export const flags: readonly string[] = [
  '--invocation-count-for-maglev=100',
  '--invocation-count-for-turbofan=600',
  '--minimum-invocations-after-ic-update=100',
];

/** Called by a worker before anything else runs. V8 reports a flag that it does not know, and goes on. */
export function compileEarly(): void {
  for (const flag of flags) setFlagsFromString(flag);
}
