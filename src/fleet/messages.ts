/** What the primary and its workers say to each other over IPC. */
import type { Config } from '../config/config.ts';
import type { BucketAnswer, BucketQuestion } from '../limits/primary-buckets.ts';

export type ToWorker =
  /** What to be; `workers` is their number on all machines. */
  | { kind: 'start'; config: Config; workers: number }
  | { kind: 'workers'; workers: number }
  /** Stop accepting, answer what is under way, end. */
  | { kind: 'drain' }
  | BucketAnswer;

export type ToPrimary = { kind: 'hello' } | BucketQuestion;
