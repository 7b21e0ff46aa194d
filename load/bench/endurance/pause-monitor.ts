/** Preloaded into a process: appends its longest event-loop stall and garbage collection per second to a file named by its pid. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { PerformanceObserver } from 'node:perf_hooks';

const reportEveryMs = 1_000;
/** A stall is the time by which this timer fires late. */
const timerMs = 5;

const file = join(process.env.PAUSE_MONITOR_FOLDER!, String(process.pid));
let stallMs = 0;
let collectionMs = 0;
let lastMs = performance.now();

setInterval(() => {
  const nowMs = performance.now();
  stallMs = Math.max(stallMs, nowMs - lastMs - timerMs);
  lastMs = nowMs;
}, timerMs).unref();

new PerformanceObserver((list) => {
  collectionMs = Math.max(collectionMs, ...list.getEntries().map(({ duration }) => duration));
}).observe({ entryTypes: ['gc'] });

setInterval(() => {
  appendFileSync(file, `${JSON.stringify({ atMs: Date.now(), stallMs, collectionMs })}\n`);
  stallMs = 0;
  collectionMs = 0;
}, reportEveryMs).unref();
