/** A planted defect: an input with an x leaves a rejected promise. */
import { plant } from './plant.ts';

export const target = plant((text) => {
  if (text.includes('x')) void Promise.reject(new Error('the planted rejection'));
});
