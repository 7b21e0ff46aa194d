/** The decoder of TCF strings gives the same results as the IAB library. */
import {
  Base64Url,
  BitLength,
  IntEncoder,
  PurposeRestriction,
  RestrictionType,
  Segment,
  SegmentEncoder,
  TCModel,
  TCString,
} from '@iabtechlabtcf/core';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readTcfConsent, type TcfConsent } from '../../src/privacy/read-tcf-consent.ts';

interface Restriction {
  purpose: number;
  type: number;
  vendors: { from: number; length: number }[];
}

/** The library encodes restrictions only with a vendor list; they are appended here in place of its empty list. */
function encodeTcf(purposes: number[], vendors: number[], restrictions: Restriction[]): string {
  const model = new TCModel();
  model.version = 2;
  model.cmpId = 31;
  model.cmpVersion = 2;
  model.purposeConsents.set(purposes);
  model.vendorConsents.set(vendors);
  model.vendorLegitimateInterests.set(vendors.slice(1));
  const core = SegmentEncoder.encode(model, Segment.CORE);
  const { vendorConsents, vendorLegitimateInterests } = TCString.decode(core);
  const end = bitsBeforeVendors + vendorConsents.bitLength + vendorLegitimateInterests.bitLength;
  return Base64Url.encode(Base64Url.decode(core).slice(0, end) + restrictionBits(restrictions));
}

const bitsBeforeVendors = 213;

const restrictionBits = (restrictions: Restriction[]): string =>
  IntEncoder.encode(restrictions.length, BitLength.numRestrictions) +
  restrictions
    .map(({ purpose, type, vendors }) => {
      const head = IntEncoder.encode(purpose, BitLength.purposeId) + IntEncoder.encode(type, BitLength.restrictionType);
      return head + IntEncoder.encode(vendors.length, BitLength.numEntries) + vendors.map(entryBits).join('');
    })
    .join('');

const entryBits = ({ from, length }: { from: number; length: number }): string => {
  const first = IntEncoder.encode(from, BitLength.vendorId);
  return length === 0 ? `0${first}` : `1${first}${IntEncoder.encode(from + length, BitLength.vendorId)}`;
};

/** Every id up to some that no string of these tests has, and the highest that a string can hold. */
const vendorIds = [...Array.from({ length: 1_300 }, (_, index) => index + 1), 65_535];

interface Decoded {
  purpose1: boolean;
  vendors: number[];
}

const forbidsPurpose1 = new PurposeRestriction(1, RestrictionType.NOT_ALLOWED);

function decodeWithLibrary(text: string): Decoded | 'undecodable' {
  try {
    const { purposeConsents, vendorConsents, publisherRestrictions } = TCString.decode(text);
    const forbidden = new Set(publisherRestrictions.getVendors(forbidsPurpose1));
    const vendors = vendorIds.filter((id) => vendorConsents.has(id) && !forbidden.has(id));
    return { purpose1: purposeConsents.has(1), vendors };
  } catch {
    return 'undecodable';
  }
}

function decode(text: string): Decoded | 'undecodable' {
  const consent = readTcfConsent(text);
  if (consent === 'undecodable') return consent;
  return { purpose1: consent.purpose1, vendors: vendorIds.filter((id) => consent.hasVendor(id)) };
}

const anyTcf = fc
  .record({
    purposes: fc.subarray([1, 2, 3, 4, 7, 11, 24]),
    vendors: fc.uniqueArray(fc.integer({ min: 1, max: 1_200 }), { maxLength: 60 }),
    restrictions: fc.array(
      fc.record({
        purpose: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 24 })),
        type: fc.integer({ min: 0, max: 2 }),
        vendors: fc.array(fc.record({ from: fc.integer({ min: 1, max: 900 }), length: fc.nat(300) }), { maxLength: 4 }),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ purposes, vendors, restrictions }) => encodeTcf(purposes, vendors, restrictions));

test('decodes a TCF string like the library', () => {
  fc.assert(
    fc.property(anyTcf, (text) => {
      expect(decodeWithLibrary(text)).not.toBe('undecodable');
      expect(decode(text)).toEqual(decodeWithLibrary(text));
    }),
    { numRuns: 300 },
  );
});

test('rejects a truncated TCF string if the library does', () => {
  fc.assert(
    fc.property(anyTcf, fc.nat(), (text, cut) => {
      const truncated = text.slice(0, cut % text.length);
      expect(decode(truncated)).toEqual(decodeWithLibrary(truncated));
    }),
    { numRuns: 300 },
  );
});

test('decodes a TCF string with one changed character like the library, if the library can decode it', () => {
  fc.assert(
    fc.property(
      anyTcf,
      fc.nat(),
      fc.constantFrom('A', 'Q', 'g', 'w', '_', '9', '.', '!'),
      (text, position, character) => {
        const index = 1 + (position % 59); // not 0: that character selects the segment type, and the library accepts every type
        const changed = text.slice(0, index) + character + text.slice(index + 1);
        const expected = decodeWithLibrary(changed);
        if (expected !== 'undecodable') expect(decode(changed)).toEqual(expected);
      },
    ),
    { numRuns: 300 },
  );
});

test('skips vendor ranges of any size without expanding them', () => {
  const all = { from: 1, length: 65_534 };
  const everyone = { purpose: 2, type: 0, vendors: Array.from({ length: 700 }, () => all) };
  // Over ninety million ids: expanding them takes seconds and gigabytes.
  expect(decode(encodeTcf([1], [], [everyone, everyone]))).toEqual({ purpose1: true, vendors: [] });
});

test('keeps vendor ranges of any size without expanding them', () => {
  const start = encodeTcf([1], [], []).slice(0, 35); // 210 of the 213 bits before the vendors; the rest are zeros
  const entries = Array.from({ length: 1_000 }, () => entryBits({ from: 2, length: 65_533 }));
  const maxId = IntEncoder.encode(65_535, BitLength.maxId);
  const vendors = `000${maxId}1${IntEncoder.encode(entries.length, BitLength.numEntries)}${entries.join('')}`;
  const none = `${IntEncoder.encode(0, BitLength.maxId)}0${IntEncoder.encode(0, BitLength.numRestrictions)}`;
  const consent = readTcfConsent(start + Base64Url.encode(vendors + none));
  expect(consent).toMatchObject({ purpose1: true });
  const { hasVendor } = consent as TcfConsent;
  expect([1, 2, 65_535].map(hasVendor)).toEqual([false, true, true]);
});

test('a string that is not cached gives the same vendors at every call', () => {
  const text = `${encodeTcf([1], [2, 40], [])}.${'A'.repeat(2_000)}`;
  expect(decode(text)).toEqual({ purpose1: true, vendors: [2, 40] });
  expect(decode(text)).toEqual({ purpose1: true, vendors: [2, 40] });
});
