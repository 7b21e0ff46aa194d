/** URLs that a URL parser may take badly. */
import { distinct, repeated, text, type WorstValue } from './worst-value.ts';

const ideograph = (index: number): string => String.fromCharCode(0x4e00 + (index % 20_000));

const url = (name: string, rest: (bytes: number, seed: string) => string): WorstValue =>
  text(`URL: ${name}`, (bytes, seed) => `https://${rest(bytes - 9, seed)}`);

export const urlTexts: readonly WorstValue[] = [
  url('host of distinct non-ASCII characters', (bytes, seed) => seed + distinct(bytes - 7, ideograph)),
  url(
    'labels of distinct non-ASCII characters',
    (bytes, seed) => `${seed}${distinct(bytes - 7, (i) => `.${ideograph(i)}`)}`,
  ),
  url('host of repeated non-ASCII characters', (bytes, seed) => seed + repeated(bytes - 7, 'ß')),
  url('combining characters', (bytes, seed) => seed + repeated(bytes - 7, '\u0323\u0307')),
  url('punycode host', (bytes, seed) => `xn--${seed}${repeated(bytes - 11, '9')}`),
  url('punycode labels', (bytes, seed) => `${seed}${repeated(bytes - 7, '.xn--fiqs8s')}`),
  url('percent-encoded host', (bytes, seed) => seed + repeated(bytes - 7, '%C3%A9')),
  url('IPv6 host', (bytes, seed) => `[${repeated(bytes - 11, '1:')}]/${seed}`),
  url('IPv4 host', (bytes, seed) => `${repeated(bytes - 8, '1.')}/${seed}`),
  url('hexadecimal host', (bytes, seed) => `0x${repeated(bytes - 10, 'f')}/${seed}`),
  url('many @', (bytes, seed) => `${seed}${repeated(bytes - 11, 'a@')}b.example`),
  url('long user', (bytes, seed) => `${seed}${repeated(bytes - 21, 'é')}@b.example`),
  url('many parent segments', (bytes, seed) => `a.example/${seed}${repeated(bytes - 17, '/a/..')}`),
  url('many encoded dots', (bytes, seed) => `a.example/${seed}${repeated(bytes - 17, '/%2e%2E')}`),
  url('long path', (bytes, seed) => `a.example/${seed}${repeated(bytes - 17, 'é')}`),
  url('long query', (bytes, seed) => `a.example/?${seed}${repeated(bytes - 18, "&a='")}`),
  url('long fragment', (bytes, seed) => `a.example/#${seed}${repeated(bytes - 18, '`')}`),
];
