/** The decoder of GPP strings gives the same results as the IAB library. */
import { GppModel, Sections } from '@iabgpp/cmpapi';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readGpp } from '../../src/privacy/read-gpp.ts';
import { readUsSection } from '../../src/privacy/read-us-section.ts';
import { numRuns } from '../support/num-runs.ts';

const usSections = [...Sections.SECTION_ID_NAME_MAP].filter(([id]) => id >= 7);
const fieldNames = ['SaleOptOut', 'SharingOptOut', 'TargetedAdvertisingOptOut', 'Gpc'];

/** Maps a section name to the values of its fields. */
const anyChoices = fc.dictionary(
  fc.constantFrom(...usSections.map(([, name]) => name)),
  fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2), fc.boolean()),
  { noNullPrototype: true },
);

test('decodes every US section of a GPP string that the library encoded', () => {
  fc.assert(
    fc.property(anyChoices, (choices) => {
      const model = new GppModel();
      const expected = usSections
        .filter(([, name]) => choices[name] !== undefined)
        .map(([id, name]) => {
          model.setFieldValue(name, 'SaleOptOut', 0);
          const known = fieldNames.map((field, index) => [field, choices[name]![index]] as const);
          const set = known.filter(([field]) => model.hasField(name, field));
          for (const [field, value] of set) model.setFieldValue(name, field, value);
          const out = set.some(([, value]) => value === 1 || value === true);
          return { section: id, choice: out ? 'opted out' : 'not opted out' };
        });
      expect(readGpp(model.encode())).toEqual({ us: expected });
    }),
    { numRuns: numRuns(500) },
  );
});

/** The library has no limit for the length, decodes every version with the layout it knows, and accepts every choice. */
function decodeWithLibrary(id: number, text: string): string {
  try {
    const model = new GppModel();
    const name = Sections.SECTION_ID_NAME_MAP.get(id)!;
    model.decodeSection(name, text);
    const fields = model.getSection(name) as Record<string, unknown>;
    const choices = ['SaleOptOut', 'SharingOptOut', 'TargetedAdvertisingOptOut'].map((field) => fields[field]);
    const version = fields.Version ?? fields.MspaVersion;
    if ((version !== 1 && version !== 2) || choices.includes(3)) return 'undecodable';
    return choices.includes(1) || fields.Gpc === true ? 'opted out' : 'not opted out';
  } catch {
    return 'undecodable';
  }
}

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const characters = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...base64url.split('')) },
  fc.constantFrom('.', '!', '=', 'é'),
);
/** The first character is the version: B for 1, C for 2. Most sections are about as long as their layout. */
const anySection = fc
  .tuple(
    fc.oneof({ weight: 8, arbitrary: fc.constantFrom('B', 'C') }, characters, fc.constant('')),
    fc.string({ unit: characters, maxLength: 15 }),
    fc.array(fc.string({ unit: characters, maxLength: 4 }), { maxLength: 3 }),
  )
  .map(([version, core, others]) => [version + core, ...others].join('.'));

test('decodes any text of a US section like the library', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.constantFrom(...usSections.map(([id]) => id)), anySection, (id, text) => {
      fc.pre(text !== '');
      const expected = decodeWithLibrary(id, text);
      seen.add(expected);
      expect(readUsSection(id, text)).toBe(expected);
    }),
    { numRuns: numRuns(5_000) },
  );
  expect([...seen].sort()).toEqual(['not opted out', 'opted out', 'undecodable']);
});

test.each(usSections)('requires the same length of section %i (%s) as the library', (id) => {
  for (const version of ['A', 'B', 'C', 'D']) {
    for (let length = 1; length <= 16; length++) {
      for (const second of ['', '.', '.A', '.I', '.AAA', '.AA.x']) {
        const text = version.padEnd(length, 'A') + second;
        expect([text, readUsSection(id, text)]).toEqual([text, decodeWithLibrary(id, text)]);
      }
    }
  }
});

test('a section that the library does not know is undecodable', () => {
  const unknown = Math.max(...usSections.map(([id]) => id)) + 1;
  expect(readUsSection(unknown, 'BAAAAAAAAAAA')).toBe('undecodable');
});
