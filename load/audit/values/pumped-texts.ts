/** Texts that are not JSON: a beginning, and one or two tokens as often as they fit. A scanner must read each character once, whatever precedes it. */
import { repeated } from './worst-value.ts';

export interface PumpedText {
  name: string;
  write: (bytes: number, seed: string) => string;
}

/** V8 hashes strings of up to 16,383 characters as a whole. */
const longName = 16_000;

const beginnings = [
  { name: 'nothing', write: () => '' },
  { name: 'a name', write: (seed: string) => `{"${seed}"` },
  { name: 'a long name', write: (seed: string) => `{"${seed}${'a'.repeat(longName)}"` },
  { name: 'a long value', write: (seed: string) => `{"a":"${seed}${'a'.repeat(longName)}"` },
  { name: 'an open text', write: (seed: string) => `{"a":"${seed}` },
];

const tokens = ['"', ':', ',', '{', '}', '[', ']', '\\', '1', '-', 'e', 'true'];

const pumps = [...tokens, ...tokens.flatMap((first) => ['"', ':', '\\'].map((second) => first + second))];

export const pumpedTexts: readonly PumpedText[] = beginnings.flatMap((beginning) =>
  [...new Set(pumps)].map((pump) => ({
    name: `${beginning.name}, then ${pump} repeatedly`,
    write: (bytes: number, seed: string) => {
      const start = beginning.write(seed);
      return start + repeated(bytes - start.length, pump);
    },
  })),
);
