/** Random text: ordinary, long, distinct, invalid, and what parsers of URLs, JSON and base64 treat specially. */
import type { Random } from './random.ts';

const base64url = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
const special = [
  '',
  ' ',
  '.',
  '..',
  '/',
  '//',
  '\\',
  '?',
  '#',
  '@',
  ':',
  '%',
  '%00',
  '%2e',
  '%zz',
  '~',
  '"',
  "'",
  '=',
  ',',
  '*',
  '\0',
  '\r\n',
  '\t',
  '\u{7f}',
  '\u{a0}',
  '\u{ad}',
  '\u{200d}',
  '\u{202e}',
  '\u{feff}',
  '\u{fffd}',
  '\ud800',
  '😀',
  'ß',
  'ı',
  'İ',
  'ﬃ',
  '。',
  '٠',
  'xn--',
  'xn--a',
  '[::1]',
  '0x7f',
  '1e999',
  '__proto__',
  'constructor',
  'null',
];
/** First code points of ranges with many assigned characters; the two largest ranges come first. */
const scripts = [0x4e00, 0xac00, 0xa1, 0x100, 0x370, 0x400, 0x5d0, 0x900, 0x1100, 0x3041, 0xff01, 0x10000, 0x1f300];

export function anyText(random: Random, max: number): string {
  const length = random.length(max);
  switch (random.below(6)) {
    case 0:
      return random
        .pick(special)
        .repeat(random.chance(0.7) ? 1 : random.length(max))
        .slice(0, max);
    case 1:
      return characters(random, length, 0x20, 0x7e);
    case 2:
      return distinctText(random, length);
    case 3:
      return random.pick(special) + base64urlText(random, length) + random.pick(special);
    case 4:
      return characters(random, length, 0, 0xffff);
    default:
      return String.fromCharCode(random.between(0x20, 0x2fff)).repeat(length);
  }
}

/** Every character differs from all others, up to the length of its script. */
export function distinctText(random: Random, length: number): string {
  const first = scripts[random.chance(0.4) ? random.below(2) : random.below(scripts.length)]!;
  return write(length, (index) => first + index);
}

export function base64urlText(random: Random, length: number): string {
  return write(length, () => base64url[random.next() & 63]!);
}

/** A piece of text that some parser treats specially. */
export const specialText = (random: Random): string => random.pick(special);

const characters = (random: Random, length: number, first: number, last: number): string =>
  write(length, () => random.between(first, last));

/** Code points above U+FFFF are written as surrogate pairs. */
function write(length: number, codePoint: (index: number) => number): string {
  const units = new Uint16Array(2 * length);
  let written = 0;
  for (let index = 0; index < length; index++) {
    const code = codePoint(index);
    if (code > 0xffff) units[written++] = 0xd7c0 + (code >> 10);
    units[written++] = code > 0xffff ? 0xdc00 + (code & 0x3ff) : code;
  }
  return Buffer.from(units.buffer, 0, 2 * written).toString('utf16le');
}
