/** Reads whether a TCF 2 string grants consent to purpose 1 (store and access information on a device). */
import { BitLength, FieldSequence, Fields, Segment } from '@iabtechlabtcf/core';
import { BitReader, memoizeDecoder } from './consent-string.ts';

export type Consent = 'granted' | 'denied' | 'undecodable';

/** Dot-separated segments in base64url; the first is the core segment, which holds the purpose consents. */
const tcfPattern = /^[\w-]+(?:\.[\w-]+)*$/;
const tcfVersion = 2;

const coreFields: readonly string[] = new FieldSequence()[tcfVersion][Segment.CORE]!;
const widths = BitLength as unknown as Readonly<Record<string, number>>;
const offsetOf = (field: string): number =>
  coreFields.slice(0, coreFields.indexOf(field)).reduce((sum, name) => sum + widths[name]!, 0);
const purposesOffset = offsetOf(Fields.purposeConsents);
const vendorsOffset = offsetOf(Fields.vendorConsents);

export const readTcfConsent = memoizeDecoder(decode);

/**
 * Takes the field layout from the library but not its decoder, which expands every vendor range id by id: a crafted
 * string of 220 characters blocks it for 200 ms, a full body of them for minutes. Ranges are skipped here.
 */
function decode(text: string): Consent {
  if (!tcfPattern.test(text)) return 'undecodable';
  const core = new BitReader(text.split('.', 1)[0]!);
  if (core.integer(BitLength.version) !== tcfVersion) return 'undecodable';
  core.position = purposesOffset;
  const granted = core.flag();
  core.position = vendorsOffset;
  const complete = skipVendors(core) && skipVendors(core) && skipRestrictions(core) && !core.overrun;
  if (!complete) return 'undecodable';
  return granted ? 'granted' : 'denied';
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

/** Skips single vendor ids and ranges of them. */
function skipEntries(core: BitReader): boolean {
  for (let left = core.integer(BitLength.numEntries); left > 0 && !core.overrun; left--) {
    core.skip(core.flag() ? 2 * BitLength.vendorId : BitLength.vendorId);
  }
  return !core.overrun;
}
