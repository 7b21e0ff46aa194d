/** Reads opt-outs from the US Privacy string and from the US sections of a GPP string, national and per state. */
import { usPrivacyPattern } from '../openrtb/us-privacy.ts';
import { BitReader } from './consent-string.ts';

export type UsChoice = 'opted out' | 'not opted out' | 'undecodable';

/** The GPP section that holds a US Privacy string. */
export const usPrivacySection = 6;

/**
 * The core segment starts with a version. The opt-outs of sale, of sharing and of targeted advertising, as far as the
 * section has them, follow each other. A second segment is optional.
 */
interface Layout {
  /** The position of the first opt-out, in bits. */
  optOutsAt: number;
  optOuts: number;
  /** The length that the core segment must have at least, in bits. */
  coreBits: number;
  /** What the second segment holds, if there is one. With `none`, whatever follows the core segment is ignored. */
  second: 'gpc' | 'sensitive data' | 'none';
}

const versionBits = 6;
const choiceBits = 2;
const segmentTypeBits = 2;
const secondBits = { gpc: segmentTypeBits + 1, 'sensitive data': 16 };

type Second = Layout['second'];
/** Three notices, then opt-outs of sale and of targeted advertising: the layout of most states. */
const state = (coreBits: number, second: Second = 'gpc'): Layout => ({ optOutsAt: 12, optOuts: 2, coreBits, second });
/** With a fourth notice, about sensitive data. */
const fourNotices = (coreBits: number, second?: Second): Layout => ({ ...state(coreBits, second), optOutsAt: 14 });
/** Two fields of the MSPA, then as for most states. */
const afterMspa = (coreBits: number, second?: Second): Layout => ({ ...state(coreBits, second), optOutsAt: 16 });

/** By section id. The specification is IABTechLab/Global-Privacy-Platform, Sections. */
const layouts: ReadonlyMap<number, Layout> = new Map<number, Layout>([
  [7, { optOutsAt: 18, optOuts: 3, coreBits: 60, second: 'gpc' }], // National; version 1 has 60 bits, version 2 has 70
  [8, state(46)], // California: sale and sharing
  [9, state(40, 'none')], // Virginia
  [10, state(38)], // Colorado
  [11, fourNotices(42, 'none')], // Utah
  [12, state(44)], // Connecticut
  [13, state(46, 'none')], // Florida
  [14, state(46)], // Montana
  [15, state(52)], // Oregon
  [16, state(42)], // Texas
  [17, state(52)], // Delaware
  [18, fourNotices(42)], // Iowa
  [19, state(42)], // Nebraska
  [20, state(46)], // New Hampshire
  [21, state(54)], // New Jersey
  [22, state(42)], // Tennessee
  [23, state(42)], // Minnesota
  [24, afterMspa(22)], // Maryland
  [25, afterMspa(24, 'sensitive data')], // Indiana
  [26, afterMspa(24, 'sensitive data')], // Kentucky
  [27, afterMspa(24, 'sensitive data')], // Rhode Island
]);

const segmentPattern = /^[\w-]+$/;
/** The longest known layout takes 14 characters. */
const maxSectionLength = 100;
/** A later version may have another layout. */
const knownVersions = [1, 2];
const optedOut = 1;
/** Valid choices are 0, 1 and 2. */
const invalidChoice = 3;

export function readUsSection(id: number, text: string): UsChoice {
  if (id === usPrivacySection) {
    if (!usPrivacyPattern.test(text)) return 'undecodable';
    return optsOutOfSale(text) ? 'opted out' : 'not opted out';
  }
  const layout = layouts.get(id);
  // A section without a known layout may contain an opt-out.
  if (!layout || text.length > maxSectionLength) return 'undecodable';
  const [core, second] = text.split('.', 2);
  const choice = readCore(core!, layout);
  if (choice === 'undecodable' || second === undefined || layout.second === 'none') return choice;
  const bits = readSegment(second, secondBits[layout.second]);
  if (!bits) return 'undecodable';
  bits.skip(segmentTypeBits);
  return layout.second === 'gpc' && bits.flag() ? 'opted out' : choice;
}

/** Whether a US Privacy string opts out of the sale of personal data. */
export const optsOutOfSale = (usPrivacy: string): boolean => usPrivacy[2] === 'Y' || usPrivacy[2] === 'y';

function readCore(text: string, { optOutsAt, optOuts, coreBits }: Layout): UsChoice {
  const bits = readSegment(text, coreBits);
  if (!bits || !knownVersions.includes(bits.integer(versionBits))) return 'undecodable';
  bits.position = optOutsAt;
  let choice: UsChoice = 'not opted out';
  for (let left = optOuts; left > 0; left--) {
    const value = bits.integer(choiceBits);
    if (value === invalidChoice) return 'undecodable';
    if (value === optedOut) choice = 'opted out';
  }
  return choice;
}

/** Undefined for text that is no base64url or has fewer bits than required; more bits are allowed. */
function readSegment(text: string, requiredBits: number): BitReader | undefined {
  if (!segmentPattern.test(text)) return undefined;
  const bits = new BitReader(text);
  bits.position = requiredBits;
  if (bits.overrun) return undefined;
  bits.position = 0;
  return bits;
}
