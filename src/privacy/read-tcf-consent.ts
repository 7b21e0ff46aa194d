/** Reads from a TCF 2 string the consent to purpose 1 (store and access information on a device) and the vendor consents. */
import { BitLength, FieldSequence, Fields, Segment } from '@iabtechlabtcf/core';
import { BitReader, memoizeDecoder } from './consent-string.ts';

export interface TcfConsent {
  /** Consent to purpose 1; legitimate interest does not count. */
  purpose1: boolean;
  /** Whether the vendor has consent, and the publisher does not forbid it purpose 1; legitimate interest does not count. */
  hasVendor: (gvlId: number) => boolean;
}

/** Dot-separated segments in base64url; the first is the core segment, which holds purpose and vendor consents. */
const tcfPattern = /^[\w-]+(?:\.[\w-]+)*$/;
const tcfVersion = 2;

/** The type of a restriction by which the publisher forbids a purpose, whatever the user has consented to. */
const notAllowed = 0;

const coreFields: readonly string[] = new FieldSequence()[tcfVersion][Segment.CORE]!;
const widths = BitLength as unknown as Readonly<Record<string, number>>;
const offsetOf = (field: string): number =>
  coreFields.slice(0, coreFields.indexOf(field)).reduce((sum, name) => sum + widths[name]!, 0);
const purposesOffset = offsetOf(Fields.purposeConsents);
const vendorsOffset = offsetOf(Fields.vendorConsents);

export const readTcfConsent = memoizeDecoder(decode);

/**
 * Takes the field layout from the library but not its decoder, which expands every vendor range id by id: a crafted
 * string of 220 characters blocks it for 200 ms, a full body of them for minutes. Ranges are kept as ranges here. Every
 * loop ends after 4,095 entries (a count has 12 bits) or at the end of the text.
 */
function decode(text: string): TcfConsent | 'undecodable' {
  if (!tcfPattern.test(text)) return 'undecodable';
  const core = new BitReader(text.split('.', 1)[0]!);
  if (core.integer(BitLength.version) !== tcfVersion) return 'undecodable';
  core.position = purposesOffset;
  const purpose1 = core.flag();
  core.position = vendorsOffset;
  const hasConsent = readVendors(core, text);
  if (!hasConsent || !skipVendors(core)) return 'undecodable';
  const start = core.position;
  const forbidsVendors = skipRestrictions(core);
  if (forbidsVendors === undefined || core.overrun) return 'undecodable';
  if (!forbidsVendors) return { purpose1, hasVendor: hasConsent };
  const isForbidden = inRanges(() => readForbidden(new BitReader(text, start)));
  return { purpose1, hasVendor: (id) => hasConsent(id) && !isForbidden(id) };
}

/** The vendors are a bit field or a list of ranges. The bit field stays in `text`, which the cache holds anyway. */
function readVendors(core: BitReader, text: string): TcfConsent['hasVendor'] | undefined {
  const maxId = core.integer(BitLength.maxId);
  const isRanges = core.flag();
  const start = core.position;
  if (isRanges) return skipEntries(core) ? inRanges(() => readRanges(new BitReader(text, start))) : undefined;
  core.skip(maxId);
  if (core.overrun) return undefined;
  return (id) => id >= 1 && id <= maxId && new BitReader(text, start + id - 1).flag();
}

/** Reads the ranges at the first lookup of a vendor. Most strings have none. */
function inRanges(read: () => number[]): TcfConsent['hasVendor'] {
  let ranges: Uint16Array | undefined;
  return (id) => isInRanges(id, (ranges ??= Uint16Array.from(read())));
}

function readRanges(core: BitReader, bounds: number[] = []): number[] {
  for (let left = core.integer(BitLength.numEntries); left > 0; left--) {
    const isRange = core.flag();
    const first = core.integer(BitLength.vendorId);
    bounds.push(first, isRange ? core.integer(BitLength.vendorId) : first);
  }
  return bounds;
}

/** `ranges` holds pairs of first and last id. */
function isInRanges(id: number, ranges: Uint16Array): boolean {
  for (let index = 0; index < ranges.length; index += 2) {
    if (id >= ranges[index]! && id <= ranges[index + 1]!) return true;
  }
  return false;
}

function skipVendors(core: BitReader): boolean {
  const maxId = core.integer(BitLength.maxId);
  if (core.flag()) return skipEntries(core);
  core.skip(maxId);
  return !core.overrun;
}

/** Whether a restriction of the publisher forbids a vendor purpose 1; undefined if the text ends too early. */
function skipRestrictions(core: BitReader): boolean | undefined {
  let forbidsVendors = false;
  for (let left = core.integer(BitLength.numRestrictions); left > 0; left--) {
    const forbids = readForbidsPurpose1(core);
    forbidsVendors ||= forbids;
    if (!skipEntries(core)) return undefined;
  }
  return forbidsVendors;
}

/** The vendors of all restrictions that forbid purpose 1. */
function readForbidden(core: BitReader): number[] {
  const bounds: number[] = [];
  for (let left = core.integer(BitLength.numRestrictions); left > 0; left--) {
    if (readForbidsPurpose1(core)) readRanges(core, bounds);
    else skipEntries(core);
  }
  return bounds;
}

function readForbidsPurpose1(core: BitReader): boolean {
  const purpose = core.integer(BitLength.purposeId);
  const type = core.integer(BitLength.restrictionType);
  return purpose === 1 && type === notAllowed;
}

/** Skips single vendor ids and ranges of them. */
function skipEntries(core: BitReader): boolean {
  for (let left = core.integer(BitLength.numEntries); left > 0 && !core.overrun; left--) {
    core.skip(core.flag() ? 2 * BitLength.vendorId : BitLength.vendorId);
  }
  return !core.overrun;
}
