/** A planted defect: an input with an x costs the square of a large number, far above the limit of 5 ms. */
import { plant } from './plant.ts';

const size = 8_000;

export const target = plant((text) => {
  if (!text.includes('x')) return;
  let equal = 0;
  for (let first = 0; first < size; first++)
    for (let second = 0; second < size; second++) if (first === second) equal++;
  if (equal !== size) throw new Error('unreachable');
});
