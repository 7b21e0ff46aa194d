/** A planted defect: an input with an x never ends. */
import { plant } from './plant.ts';

export const target = plant((text) => {
  for (; text.includes('x'););
});
