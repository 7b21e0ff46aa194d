/** The open file descriptors of this process, also when none is left to count them with. */
import { closeSync, openSync } from 'node:fs';
import type { Gauge, Registry } from 'prom-client';

const watchEveryMs = 5_000;

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

/** The kernel accepts connections that the process then cannot open: nothing else reports that they were closed. */
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
