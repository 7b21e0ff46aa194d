/** Preloaded into a process: tells each second, in a file named by its pid, its longest stall and collection. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { PerformanceObserver } from 'node:perf_hooks';

const tellEveryMs = 1_000;
/** A timer is due so often; a stall is by how much longer it took from one time to the next. */
const tickMs = 5;

const file = join(process.env.WATCH_FOLDER!, String(process.pid));
let stallMs = 0;
let collectionMs = 0;
let lastMs = performance.now();

setInterval(() => {
  const nowMs = performance.now();
  stallMs = Math.max(stallMs, nowMs - lastMs - tickMs);
  lastMs = nowMs;
}, tickMs).unref();

new PerformanceObserver((list) => {
  collectionMs = Math.max(collectionMs, ...list.getEntries().map(({ duration }) => duration));
}).observe({ entryTypes: ['gc'] });

setInterval(() => {
  appendFileSync(file, `${JSON.stringify({ atMs: Date.now(), stallMs, collectionMs })}\n`);
  stallMs = 0;
  collectionMs = 0;
}, tellEveryMs).unref();
