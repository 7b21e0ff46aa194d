/** A planted defect: an input with an x allocates 300 MiB outside the heap: more than the memory that was freed since the peak. */
import { plant } from './plant.ts';

export const target = plant((text) => {
  if (text.includes('x')) Buffer.alloc(300 * 1024 * 1024, 1);
});
