/** A target with a defect that the fuzzer must find; its inputs are letters. */
import type { FuzzTarget } from '../target.ts';

const letters = Array.from('abcdefghijklmnopqrstuvwxyz');

export const plant = (run: (text: string) => void): FuzzTarget => ({
  weight: 1,
  maxMicros: () => 5_000,
  verdicts: ['ok'],
  generate: (random) => Buffer.from(Array.from({ length: 4 + random.below(3) }, () => random.pick(letters)).join('')),
  start: () => ({
    run: (input) => {
      run(input.toString());
      return 'ok';
    },
  }),
});
