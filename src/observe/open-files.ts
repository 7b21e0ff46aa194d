/** The open file descriptors of this process, also when none is left to count them with. */
import { closeSync, openSync } from 'node:fs';
import type { Gauge, Registry } from 'prom-client';

/** So a count of the checks that fail is a number of seconds. */
const watchEveryMs = 1_000;

/** prom-client lists a folder, which needs a descriptor; without one, its gauge keeps the last value. Has no effect where there is no /proc. */
export function countExhaustedFiles(register: Registry): void {
  const open = register.getSingleMetric('process_open_fds') as CollectedGauge | undefined;
  const max = register.getSingleMetric('process_max_fds') as Gauge | undefined;
  if (!open || !max) return;
  const count = open.collect.bind(open);
  open.collect = async () => {
    if (canOpenFile()) return count();
    const { values } = await max.get();
    open.set(values[0]!.value);
  };
}

/** Not declared by prom-client. */
type CollectedGauge = Gauge & { collect: () => void | Promise<void> };

/** Without a descriptor, libuv closes new connections and reports none of them. Called once per second in which none is left. */
export function watchOpenFiles(onExhausted: () => void): void {
  setInterval(() => {
    if (!canOpenFile()) onExhausted();
  }, watchEveryMs).unref();
}

function canOpenFile(): boolean {
  try {
    closeSync(openSync('/dev/null', 'r'));
    return true;
  } catch (error) {
    return !['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}
