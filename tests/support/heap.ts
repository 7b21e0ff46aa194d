/** What is kept on the heap. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
// No object is allocated as an old one because others from the same place lived long.
setFlagsFromString('--no-allocation-site-pretenuring');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

/** The bytes that are kept after `run`, garbage collected. */
export function keptBytes(run: () => void): number {
  collect();
  const before = process.memoryUsage().heapUsed;
  run();
  collect();
  return process.memoryUsage().heapUsed - before;
}

export const collectAll = (): void => collect();

/** The bytes that are kept after `run`, the young generation collected until what survives is old. */
export function bytesKeptByYoungCollections(run: () => void): number {
  const before = process.memoryUsage().heapUsed;
  run();
  for (let count = 0; count < 3; count++) collect({ type: 'minor' });
  return process.memoryUsage().heapUsed - before;
}
