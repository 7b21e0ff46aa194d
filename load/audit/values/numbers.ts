/** Numbers that are long to read or to write, or that fast checks leave to a slow one. */
import { repeated, type WorstValue } from './worst-value.ts';

const number = (name: string, write: (bytes: number) => string): WorstValue => ({ name, write });

export const numbers: readonly WorstValue[] = [
  number('many digits', (bytes) => `1${repeated(bytes - 1, '7')}`),
  number('many decimals', (bytes) => `0.${repeated(bytes - 2, '7')}`),
  number('many zeros before a decimal', (bytes) => `0.${repeated(bytes - 3, '0')}1`),
  number('huge exponent', (bytes) => `1e${repeated(bytes - 2, '9')}`),
  number(
    'many digits, small exponent',
    (bytes) => `1${repeated(bytes - 6, '7')}e-${Math.max(1, Math.min(bytes, 9999))}`,
  ),
  number('the largest double', () => '1.7976931348623157e308'),
  number('the smallest double', () => '5e-324'),
  number('beyond the largest double', () => '1e400'),
  number('negative zero', () => '-0'),
  number('a decimal with exponent', () => '1.5e-7'),
];
