/** A planted defect: an input with an x throws. */
import { plant } from './plant.ts';

export const target = plant((text) => {
  if (text.includes('x')) throw new Error('the planted exception');
});
