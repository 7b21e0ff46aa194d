/** A planted defect: the second run of an input has another verdict than the first. */
import type { FuzzTarget } from '../target.ts';
import { plant } from './plant.ts';

const seen = new Set<string>();

export const target: FuzzTarget = {
  ...plant(() => {}),
  verdicts: ['new', 'seen'],
  start: () => ({
    run: (input) => {
      const verdict = seen.has(input.toString()) ? 'seen' : 'new';
      seen.add(input.toString());
      return verdict;
    },
  }),
};
