/** Encodes GPP headers: section ids in Fibonacci coding, as a caller may send them. */
import type { Random } from '../../lib/random.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const headerPrefix = `${bits(3, 6)}${bits(1, 6)}`;

function bits(value: number, width: number): string {
  return value.toString(2).padStart(width, '0');
}

/** Each entry is a flag (1 for a range) and its codes, in bits; `count` is the number of entries that the header claims. */
export function gppHeader(entries: readonly string[], count = entries.length): string {
  const text = `${headerPrefix}${bits(count, 12)}${entries.join('')}`;
  return text
    .padEnd(Math.ceil(text.length / 6) * 6, '0')
    .replace(/.{6}/g, (sextet) => alphabet[Number.parseInt(sextet, 2)]!);
}

/** The Fibonacci code of a positive integer. */
export function fibonacciCode(value: number): string {
  const numbers = [1, 2];
  while (numbers.at(-1)! <= value) numbers.push(numbers.at(-1)! + numbers.at(-2)!);
  let left = value;
  const digits = numbers.toReversed().map((number) => {
    if (number > left) return '0';
    left -= number;
    return '1';
  });
  return `${digits.join('').replace(/^0+/, '').split('').toReversed().join('')}1`;
}

export const randomText = (length: number, random: Random): string =>
  Array.from({ length }, () => alphabet[random.integer(0, alphabet.length - 1)]).join('');
