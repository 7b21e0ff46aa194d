/** The metric of log lines that were dropped because nobody read them; every process has its own count. */
import { Counter } from 'prom-client';
import { droppedLines } from './standard-streams.ts';

export const createDroppedLinesCounter = (): Counter =>
  new Counter({
    name: 'exchange_log_lines_dropped_total',
    help: 'Lines of the log and of standard error that were dropped because they could not be written',
    registers: [],
    collect() {
      this.reset();
      this.inc(droppedLines());
    },
  });
