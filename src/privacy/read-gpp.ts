/** Splits a GPP string into its header, which lists section ids, and its sections; only EU and US sections are read. */
import { BitReader, memoizeDecoder } from './consent-string.ts';
import { readUsSection, type UsChoice, usPrivacySection } from './read-us-section.ts';

export interface Gpp {
  /** The TCF consent string of the EU section. */
  tcf?: string;
  us: { section: number; choice: UsChoice }[];
}

export const tcfSection = 2;

const headerPattern = /^[\w-]{1,100}$/;
const headerType = 3;
const headerVersion = 1;
const maxSections = 50;
/** Ids are assigned one after the other: this leaves room for decades. */
const maxSectionId = 1_000;

export const readGpp = memoizeDecoder(decode);

function decode(text: string): Gpp | 'undecodable' {
  const [header = '', ...sections] = text.split('~', maxSections + 2);
  const ids = readSectionIds(header);
  if (ids?.length !== sections.length || sections.includes('')) return 'undecodable';
  const gpp: Gpp = { us: [] };
  for (const [index, section] of ids.entries()) {
    const content = sections[index]!;
    if (section === tcfSection) gpp.tcf = content;
    if (section >= usPrivacySection) gpp.us.push({ section, choice: readUsSection(section, content) });
  }
  return gpp;
}

/**
 * The header lists ascending ids, each as its distance from the previous one, as single ids or ranges. It is not decoded
 * with @iabgpp/cmpapi, because that expands ranges without a limit: a 15-character header can exhaust the memory. Every
 * entry adds at least one id, so `maxSections` bounds both loops, whatever number of entries the header claims.
 */
function readSectionIds(header: string): number[] | undefined {
  if (!headerPattern.test(header)) return undefined;
  const bits = new BitReader(header);
  if (bits.integer(6) !== headerType || bits.integer(6) !== headerVersion) return undefined;
  const ids: number[] = [];
  let last = 0;
  for (let left = bits.integer(12); left > 0; left--) {
    const isRange = bits.flag();
    const distance = bits.fibonacci(maxSectionId);
    const rest = isRange ? bits.fibonacci(maxSections) : 0;
    if (distance === undefined || rest === undefined || bits.overrun) return undefined;
    const first = last + distance;
    last = first + rest;
    if (last > maxSectionId || ids.length + 1 + rest > maxSections) return undefined;
    for (let id = first; id <= last; id++) ids.push(id);
  }
  return ids;
}
