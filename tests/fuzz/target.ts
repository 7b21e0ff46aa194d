/** The contract of a fuzz target: a generator of inputs, and the code that they run through with its oracle. */
import type { Random } from './generate/random.ts';

export interface FuzzTarget {
  /** The share of this target in the inputs of a run, relative to the weights of the others. */
  weight: number;
  /** The CPU time that an input of this size may take, in µs. */
  maxMicros: (bytes: number) => number;
  /** Every result that `run` can have. A run that never has one of them does not exercise the target. */
  verdicts: readonly string[];
  generate: (random: Random) => Buffer;
  start: () => RunningTarget | Promise<RunningTarget>;
}

export interface RunningTarget {
  /** The verdict of the code on the input. Throws a Violation if the code broke a rule. */
  run(input: Buffer): string | Promise<string>;
  /** Fills the caches with other keys: the next run of an input computes everything again. */
  evictCaches?(): void | Promise<void>;
  /** Checks that the code still serves ordinary inputs. Called at intervals. */
  checkHealth?(): Promise<void>;
}

/** A rule that the code under test broke. */
export class Violation extends Error {}

export function check(rule: boolean, message: string): asserts rule {
  if (!rule) throw new Violation(message);
}

const kibibyte = 1024;

/** A fixed cost and a cost per KiB, both with a wide margin over ordinary inputs: more than linear cost exceeds them. */
export const linear =
  (fixedMicros: number, microsPerKib: number) =>
  (bytes: number): number =>
    fixedMicros + (microsPerKib * bytes) / kibibyte;

/** This share of the inputs is run as it comes from the corpus or the generator; the others are mutated. */
export const unmutated = 0.3;
