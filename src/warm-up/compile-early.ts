/** Makes V8 compile sooner what runs often. */
import { setFlagsFromString } from 'node:v8';

/**
 * How often a function runs before V8's fast optimising compiler gets it, and how often after the types that it has seen have changed: a quarter
 * of the defaults or less. The thorough compiler keeps its default: it takes far longer, on the cores that serve (decision 34).
 */
export const flags: readonly string[] = [
  '--invocation-count-for-maglev=100',
  '--minimum-invocations-after-ic-update=100',
];

/** Called by a worker before anything else runs. V8 reports a flag that it does not know, and goes on. */
export function compileEarly(): void {
  for (const flag of flags) setFlagsFromString(flag);
}
