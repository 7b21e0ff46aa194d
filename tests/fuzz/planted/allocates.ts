/** A planted defect: an input with an x allocates without bound. */
import { plant } from './plant.ts';

export const target = plant((text) => {
  for (const list: unknown[] = []; text.includes('x');) list.push(`${list.length} ${text}`);
});
