/** The messages between the fuzzer and the child process that runs a target. */

/**
 * - `violation`: the code broke a rule of the target.
 * - `exception`: the code threw, or a promise was rejected without a handler.
 * - `slow`: an input takes more CPU time than its size justifies.
 * - `memory`: an input allocates far more than its size, or the heap keeps growing.
 * - `stall`: an input does not end.
 * - `crash`: the process died, usually because its small heap was exhausted.
 */
export type FindingKind = 'violation' | 'exception' | 'slow' | 'memory' | 'stall' | 'crash';

export interface Finding {
  kind: FindingKind;
  message: string;
  index: number;
  input: Uint8Array;
}

/** `from` is inclusive, `to` is exclusive. */
export interface FuzzRange {
  seed: number;
  from: number;
  to: number;
  /** Whether CPU time counts. Verdicts, stalls and memory always do. */
  checkTime: boolean;
}

export type ToChild = ({ kind: 'fuzz' } & FuzzRange) | { kind: 'run'; input: Uint8Array; checkTime: boolean };

export type FromChild =
  | { kind: 'ready'; weight: number; verdicts: readonly string[] }
  | { kind: 'finding'; finding: Finding }
  | { kind: 'progress'; stats: RunStats }
  | { kind: 'done'; stats: RunStats }
  | { kind: 'ran'; verdict: string | undefined; finding: Finding | undefined };

export interface RunStats {
  inputs: number;
  /** CPU time of the slowest input: the minimum of several runs. */
  slowestMicros: number;
  heapGrowthBytes: number;
  verdicts: Record<string, number>;
}
