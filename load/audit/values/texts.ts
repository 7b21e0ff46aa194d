/** Texts that are long, or that a parser of texts may take badly. */
import { consentTexts } from './consent-texts.ts';
import { urlTexts } from './url-texts.ts';
import { distinct, repeated, text, type WorstValue } from './worst-value.ts';

const separators = [',', '.', '~', '/', '%', '@', ':', ';', '=', '&', '-', '_', ' ', '\\\\', '\\t', '(', '[', '{', '<'];

const repeats = separators.map((separator) =>
  text(`text of ${separator === ' ' ? 'spaces' : separator}`, (bytes, seed) => seed + repeated(bytes - 7, separator)),
);

/** From U+4E00, three bytes each. */
const ideograph = (index: number): string => String.fromCharCode(0x4e00 + (index % 20_000));

/** JSON text in a string, encoded as often as it fits: each time its backslashes double. */
function encodedAgain(bytes: number, seed: string): string {
  let content = JSON.stringify({ seed });
  for (;;) {
    const next = JSON.stringify(content);
    if (next.length > bytes) return content;
    content = next;
  }
}

export const texts: readonly WorstValue[] = [
  text('long text', (bytes, seed) => seed + repeated(bytes - 7, 'a')),
  text('invisible characters', (bytes, seed) => seed + repeated(bytes - 7, '\u007f')),
  text('long text, last character unexpected', (bytes, seed) => `${seed}${repeated(bytes - 8, 'a')}!`),
  text('distinct non-ASCII characters', (bytes, seed) => seed + distinct(bytes - 7, ideograph)),
  text('surrogate pairs', (bytes, seed) => seed + repeated(bytes - 7, '😀')),
  text('lone surrogates', (bytes, seed) => seed + repeated(bytes - 7, String.raw`\ud800`)),
  text('escaped NUL', (bytes, seed) => seed + repeated(bytes - 7, String.raw`\u0000`)),
  text('escaped quotes', (bytes, seed) => seed + repeated(bytes - 7, String.raw`\"`)),
  text('digits', (bytes, seed) => repeated(bytes - 7, '1') + seed),
  text('distinct words, comma-separated', (bytes, seed) => distinct(bytes, (index) => `${seed}${index}`, ',')),
  text('one-letter labels', (bytes, seed) => `${seed}${repeated(bytes - 8, '.a')}`),
  text('labels of 63 characters', (bytes, seed) => `${seed}${repeated(bytes - 7, `.${'a'.repeat(63)}`)}`),
  text('spaces before a letter', (bytes, seed) => `${seed}${repeated(bytes - 8, ' ')}x`),
  text('letters that grow in lower case', (bytes, seed) => seed + repeated(bytes - 7, 'İ')),
  text('JSON text, encoded repeatedly', (bytes, seed) => JSON.stringify(encodedAgain(bytes / 2, seed)).slice(1, -1)),
  text('JSON text of many objects', (bytes, seed) => {
    const inner = `[${distinct(bytes / 2, (index) => `{"${seed}":${index}}`, ',')}]`;
    return JSON.stringify(inner).slice(1, -1);
  }),
  text('JSON text, a long name and colons', (bytes, seed) => {
    const name = String.raw`{\"${seed}${'a'.repeat(Math.min(16_000, bytes / 2))}\"`;
    return name + repeated(bytes - name.length, ':');
  }),
  text('JSON text, nested deeply', (bytes) => repeated(bytes / 2, '[') + repeated(bytes / 2, ']')),
  ...repeats,
  ...urlTexts,
  ...consentTexts,
];
