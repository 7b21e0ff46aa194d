/** A planted defect: an input with an x allocates 120 MiB outside the heap. */
import { plant } from './plant.ts';

export const target = plant((text) => {
  if (text.includes('x')) Buffer.alloc(120 * 1024 * 1024, 1);
});
