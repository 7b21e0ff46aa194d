/** Consent strings (TCF, GPP) with as much in them as their formats allow. */
import { repeated, text, type WorstValue } from './worst-value.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Bits as base64url text. */
const toText = (bits: string): string =>
  (bits.match(/.{1,6}/g) ?? []).map((six) => alphabet[Number.parseInt(six.padEnd(6, '0'), 2)]).join('');

const binary = (value: number, width: number): string => value.toString(2).padStart(width, '0');

/** Fibonacci coding, least significant place first, terminated by a second 1. */
function fibonacci(value: number): string {
  const places = [1, 2];
  while (places.at(-1)! <= value) places.push(places.at(-1)! + places.at(-2)!);
  let left = value;
  const bits = places.map(() => '0');
  for (let place = places.length - 1; place >= 0; place--) {
    if (places[place]! > left) continue;
    left -= places[place]!;
    bits[place] = '1';
  }
  return `${bits.join('').replace(/0+$/, '')}1`;
}

/** Type 3, version 1, then the entries: single ids, or ranges as [distance to the first, distance to the last]. */
function gppHeader(entries: readonly (number | readonly [number, number])[]): string {
  const coded = entries.map((entry) =>
    typeof entry === 'number' ? `0${fibonacci(entry)}` : `1${fibonacci(entry[0])}${fibonacci(entry[1])}`,
  );
  return toText(`${binary(3, 6)}${binary(1, 6)}${binary(entries.length, 12)}${coded.join('')}`);
}

/** US sections have the ids from 7 on. */
const usHeaders = Array.from({ length: 51 }, (_, count) => gppHeader([[7, Math.max(1, count - 1)]]));

/** As many sections as fit, at most `count`. */
const sectionsOf = (count: number, section: (seed: string) => string) => (bytes: number, seed: string) => {
  const fits = Math.max(2, Math.min(count, Math.floor((bytes - 20) / (section(seed).length + 1))));
  return [usHeaders[fits]!, ...Array.from({ length: fits }, () => section(seed))].join('~');
};

/** Version 2, then fields of zeros up to the vendors: a list of 4,095 ranges. */
const tcfCore = toText(`${binary(2, 6)}${'0'.repeat(207)}${binary(65_535, 16)}1${binary(4095, 12)}`);
const tcf = (bytes: number, seed: string): string => `${tcfCore}${seed}${repeated(bytes - tcfCore.length - 7, '_')}`;

const hugeRange = gppHeader([[1, 2 ** 40]]);
const euOnly = gppHeader([2]);

export const consentTexts: readonly WorstValue[] = [
  text('TCF: many ranges', tcf),
  text('TCF: many segments', (bytes, seed) => `C${'A'.repeat(40)}${seed}${repeated(bytes - 47, '.A')}`),
  text('TCF: all bits set', (bytes, seed) => `C${seed}${repeated(bytes - 7, '_')}`),
  text('GPP: section id above 2^53', (_bytes, seed) => `DBABAAAAAAAAAAAAAAAY~${seed}`),
  text('GPP: huge range', (_bytes, seed) => `${hugeRange}~${seed}`),
  text('GPP: many entries', (bytes, seed) => `DBAP_${repeated(Math.min(bytes, 95) - 12, 'w')}~${seed}`),
  text('GPP: long header', (bytes, seed) => `DB${seed}${repeated(bytes - 8, 'A')}`),
  text(
    'GPP: 15 short US sections',
    sectionsOf(15, (seed) => `B${seed}VVVVVV`),
  ),
  text(
    'GPP: 15 US sections with sub-sections',
    sectionsOf(15, (seed) => `BVVqAAAAAqA.QA${seed}.YA`),
  ),
  text(
    'GPP: 15 US sections of 100 characters',
    sectionsOf(15, (seed) => `B${seed}${'V'.repeat(93)}`),
  ),
  text(
    'GPP: 50 US sections',
    sectionsOf(50, (seed) => `BVVqAAAAAqA${seed}`),
  ),
  text('GPP: an EU section as large as fits', (bytes, seed) => `${euOnly}~${tcf(bytes - 8, seed)}`),
  text('GPP: many empty sections', (bytes, seed) => `${usHeaders[15]}${seed}${repeated(bytes - 16, '~A')}`),
];
