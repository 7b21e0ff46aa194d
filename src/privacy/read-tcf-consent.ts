/** Whether a TCF 2 consent string grants purpose 1, storing and reading information on a device. */
import { BitLength, FieldSequence, Fields, Segment } from '@iabtechlabtcf/core';
import { BitReader } from './bit-reader.ts';
import { memoize } from '../cache/memoize.ts';
import { stringMemory } from './string-memory.ts';

export type Consent = 'granted' | 'refused' | 'undecodable';

/** Segments of base64url; the first is the core, which says all that is asked here. */
const wellFormed = /^[\w-]+(?:\.[\w-]+)*$/;
const tcfVersion = 2;

const coreFields: readonly string[] = new FieldSequence()[tcfVersion][Segment.CORE]!;
const widths = BitLength as unknown as Readonly<Record<string, number>>;
const bitsBefore = (field: string): number =>
  coreFields.slice(0, coreFields.indexOf(field)).reduce((sum, name) => sum + widths[name]!, 0);
const purposesAt = bitsBefore(Fields.purposeConsents);
const vendorsAt = bitsBefore(Fields.vendorConsents);

/**
 * The layout is the library's; its decoder is not used, as it writes out every vendor range id by id: 220 characters
 * made for the purpose keep it busy for 200 ms, a whole body of them for minutes. Here ranges are only stepped over.
 */
function decode(text: string): Consent {
  if (!wellFormed.test(text)) return 'undecodable';
  const core = new BitReader(text.split('.', 1)[0]!);
  if (core.integer(BitLength.version) !== tcfVersion) return 'undecodable';
  core.at = purposesAt;
  const granted = core.flag();
  core.at = vendorsAt;
  const whole = skipVendors(core) && skipVendors(core) && skipRestrictions(core) && !core.overrun;
  if (!whole) return 'undecodable';
  return granted ? 'granted' : 'refused';
}

function skipVendors(core: BitReader): boolean {
  const maxId = core.integer(BitLength.maxId);
  if (core.flag()) return skipEntries(core);
  core.skip(maxId);
  return !core.overrun;
}

function skipRestrictions(core: BitReader): boolean {
  for (let left = core.integer(BitLength.numRestrictions); left > 0; left--) {
    core.skip(BitLength.purposeId + BitLength.restrictionType);
    if (!skipEntries(core)) return false;
  }
  return true;
}

/** Single vendors and ranges of them. */
function skipEntries(core: BitReader): boolean {
  for (let left = core.integer(BitLength.numEntries); left > 0 && !core.overrun; left--) {
    core.skip(core.flag() ? 2 * BitLength.vendorId : BitLength.vendorId);
  }
  return !core.overrun;
}

export const readTcfConsent = memoize(stringMemory, decode);
