/** TCF consent strings, read by the privacy decision. */
import { decidePrivacy, hasConsent } from '../../../src/privacy/privacy-decision.ts';
import type { BidRequest } from '../../../src/openrtb/bid-request.ts';
import { warningCodes } from '../../../src/privacy/warnings.ts';
import { BitWriter } from '../generate/bit-writer.ts';
import { mutateBytes } from '../generate/mutate-bytes.ts';
import type { Random } from '../generate/random.ts';
import { anyText, base64urlText } from '../generate/text.ts';
import { check, type FuzzTarget, linear, unmutated } from '../target.ts';

const corpus = [
  'CQNlwwAQNlwwAAfACBENCWEgAPIAAAAAABpYF5wBoAAgAEAAoAGgATABAALzAAAAAAAA',
  'CQNlwwAQNlwwAAfACBENCWEgAPIAAAAAABpYF5wBoAAgAEAAoAGgATABAALzAAAAAAAA.YAAAAAAAAAA',
  'CQNlwwAQNlwwAAfACBENCWEgAHIAAAAAABpYF5wA4AAgAEAAoBeYAAAAAAAA',
  'CQNlwwAQNlwwAAfACBENCWEgAAAAAEIAABpYAAAAAAAA',
  'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA',
  'BOEFEAyOEFEAyAHABDENAIgAAAB9vABAASA',
].map((text) => Buffer.from(text));

/** The longest consent string that is read. */
export const maxConsentLength = 8_192;
const maxBytes = 64 * 1024;
const cacheEntries = 5_001;
const vendorIds = [1, 2, 52, 755, 1_200, 65_535];

const granted = (text: string): BidRequest =>
  ({ id: '1', imp: [], regs: { gdpr: 1 }, user: { consent: text } }) as unknown as BidRequest;

export const target: FuzzTarget = {
  weight: 21,
  maxMicros: linear(1_500, 40),
  verdicts: ['granted', 'not granted', 'undecodable', 'empty'],
  generate: (random) => {
    const bytes = random.chance(0.4) ? random.pick(corpus) : Buffer.from(consentString(random));
    return random.chance(unmutated) ? bytes : mutateBytes(random, bytes, corpus, maxBytes);
  },
  start: () => ({
    run: (input) => judge(input.toString('latin1')),
    evictCaches: () => {
      for (let entry = 0; entry < cacheEntries; entry++) judge(`COther${entry}`);
    },
  }),
};

function judge(text: string): string {
  const { redaction, gdpr, warnings } = decidePrivacy(granted(text));
  const required = text.length > maxConsentLength ? 'standard' : 'none';
  check(redaction === required, `redaction ${redaction} for all partners`);
  check(warnings.length <= 1, `${warnings.length} warnings`);
  const code = warnings[0]?.code;
  check(code === undefined || warningCodes.includes(code), `warning ${code}`);
  check(!warnings.some(({ message }) => text.length > 3 && message.includes(text)), 'a warning quotes the string');
  const vendors = vendorIds.filter((id) => hasConsent(gdpr!, id));
  check(!hasConsent(gdpr!, undefined), 'a partner without a vendor id has consent');
  if (text.length > maxConsentLength)
    check(vendors.length === 0, 'a string longer than 8192 characters grants consent');
  const { consent } = gdpr!;
  check((typeof consent === 'string') === (code !== undefined), `a consent string with warning ${code}`);
  if (consent === 'missing') return 'empty';
  if (consent === 'undecodable') return consent;
  check(consent.purpose1 || vendors.length === 0, 'a vendor has consent without purpose 1');
  return consent.purpose1 ? 'granted' : 'not granted';
}

/** A string with the fields of the core segment, and counts that exceed what follows them. */
export function consentString(random: Random): string {
  if (random.chance(0.05)) return anyText(random, maxBytes);
  const bits = new BitWriter();
  bits.integer(random.chance(0.95) ? 2 : random.below(64), 6);
  bits.integer(random.next(), 36).integer(random.next(), 36);
  for (const width of [12, 12, 6, 12, 12, 6, 1, 1, 12]) bits.integer(random.below(2 ** width), width);
  bits.integer(random.next(), 24).integer(random.next(), 24).integer(random.below(2), 1).integer(random.next(), 12);
  vendors(random, bits);
  vendors(random, bits);
  const restrictions = count(random, 12);
  bits.integer(restrictions, 12);
  for (let left = Math.min(restrictions, 40); left > 0; left--) {
    bits.integer(random.below(64), 6).integer(random.below(4), 2);
    entries(random, bits);
  }
  const segments = random.chance(0.2) ? `.${base64urlText(random, random.length(100))}`.repeat(random.length(100)) : '';
  return bits.toString() + segments;
}

function vendors(random: Random, bits: BitWriter): void {
  const maxId = count(random, 16);
  bits.integer(maxId, 16);
  if (random.chance(0.5)) {
    bits.integer(1, 1);
    entries(random, bits);
  } else {
    bits.integer(0, 1);
    for (let left = random.chance(0.8) ? maxId : random.length(2_000); left > 0; left -= 32) {
      bits.integer(random.next(), Math.min(left, 32));
    }
  }
}

function entries(random: Random, bits: BitWriter): void {
  const entries = count(random, 12);
  bits.integer(entries, 12);
  for (let left = random.chance(0.9) ? Math.min(entries, 300) : random.length(300); left > 0; left--) {
    const isRange = random.below(2);
    bits.integer(isRange, 1).integer(random.next(), 16);
    if (isRange === 1) bits.integer(random.next(), 16);
  }
}

/** Mostly small, sometimes the largest that fits into the width. */
const count = (random: Random, width: number): number =>
  random.chance(0.02) ? 2 ** width - 1 : random.length(random.chance(0.95) ? 20 : 2 ** width - 1);
