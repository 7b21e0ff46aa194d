/** All faults of the drill, in the order in which they run. */
import type { Fault } from './fault.ts';
import { workerKilled, workerStopped } from './faults/worker-faults.ts';
import { workerBlocked } from './faults/worker-blocked.ts';
import { workerCrashLoop } from './faults/worker-crash-loop.ts';
import { fileDescriptors } from './faults/file-descriptors.ts';
import { primaryStopped } from './faults/primary-stopped.ts';
import { redisKilled, redisStopped } from './faults/redis-faults.ts';
import { redisRequired } from './faults/redis-required.ts';
import { redisSlow } from './faults/redis-slow.ts';
import { redisSentinel } from './faults/redis-sentinel.ts';
import { redisCluster } from './faults/redis-cluster.ts';
import { redisAbsent } from './faults/redis-absent.ts';
import { logReaderGone, logUnread } from './faults/log-reader-faults.ts';
import { logDiskFull } from './faults/log-disk-full.ts';
import { auctionLogDiskFull } from './faults/auction-log-disk-full.ts';
import { partnerHangs, partnerSlow } from './faults/partner-faults.ts';
import { partnerDown } from './faults/partner-down.ts';
import { slowDns } from './faults/slow-dns.ts';
import { firstSecond } from './faults/first-second.ts';
import { rollingRestart } from './faults/rolling-restart.ts';
import { invalidReload } from './faults/invalid-reload.ts';
import { invalidRates } from './faults/invalid-rates.ts';
import { collectorHangs } from './faults/collector-hangs.ts';
import { drain } from './faults/drain.ts';

export const faults: readonly Fault[] = [
  workerStopped,
  workerBlocked,
  workerKilled,
  workerCrashLoop,
  fileDescriptors,
  primaryStopped,
  redisKilled,
  redisStopped,
  redisSlow,
  redisRequired,
  redisSentinel,
  redisCluster,
  redisAbsent,
  logReaderGone,
  logUnread,
  logDiskFull,
  auctionLogDiskFull,
  partnerHangs,
  partnerSlow,
  partnerDown,
  slowDns,
  firstSecond,
  rollingRestart,
  invalidReload,
  invalidRates,
  collectorHangs,
  drain,
];
