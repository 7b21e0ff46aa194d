/** What the primary and its workers say to each other over IPC. */
import type { Config } from '../config/config.ts';
import type { Snapshot } from '../observe/fleet-metrics.ts';
import type { BucketResponse, BucketRequest } from '../limits/embedded-buckets.ts';

export type ToWorker =
  /** What to be; `workers` is their number on all machines, `slot` the place among those of this one. */
  | { kind: 'start'; config: Config; workers: number; slot: number }
  | { kind: 'workers'; workers: number }
  /** Stop accepting, answer what is under way, end. */
  | { kind: 'drain' }
  | { kind: 'metrics?' }
  | BucketResponse;

export type ToPrimary =
  { kind: 'hello' } | { kind: 'metrics!'; snapshot: Snapshot } | { kind: 'mode'; mode: string } | BucketRequest;
