/** The IPC messages between the primary and its workers. */
import type { Config } from '../config/config.ts';
import type { BucketResponse, BucketRequest } from '../limits/embedded-buckets.ts';
import type { LimitMode } from '../limits/shared-rate-limiter.ts';
import type { RatesTable } from '../money/rates.ts';
import type { ConsoleReply } from '../observe/console/worker-console.ts';
import type { MetricsSnapshot } from '../observe/metrics.ts';

export type MessageToWorker =
  /** The reply to `hello`. `totalWorkers` is their number on all machines; `workerIndex` counts from 0 on this machine. */
  | { kind: 'start'; config: Config; totalWorkers: number; workerIndex: number }
  /** The number by which the limits are divided in degraded mode has changed; not always an integer. */
  | { kind: 'limit-divisor'; divisor: number }
  /** The rates file has changed. */
  | { kind: 'rates'; table: RatesTable }
  /** Stop accepting connections, finish the requests in flight, exit. */
  | { kind: 'drain' }
  | { kind: 'metrics-request' }
  /** The console needs what the worker keeps for it. */
  | { kind: 'console-request'; topic: ConsoleReply['topic'] }
  /** The file of the auction log was renamed. */
  | { kind: 'reopen-auction-log' }
  | BucketResponse;

export type MessageToPrimary =
  | { kind: 'hello' }
  /** Once per second, from the worker's event loop. */
  | { kind: 'heartbeat' }
  | { kind: 'metrics-response'; snapshot: MetricsSnapshot }
  | { kind: 'console-response'; reply: ConsoleReply }
  /** The rate limit mode of the worker has changed. */
  | { kind: 'mode'; mode: LimitMode }
  | BucketRequest;
