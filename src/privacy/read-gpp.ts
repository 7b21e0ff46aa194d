/** Takes a GPP string apart: a header that lists section ids, then the sections, of which the EU's and the US' matter. */
import { BitReader } from './bit-reader.ts';
import { readUsSection, type UsChoice, usPrivacySection } from './read-us-section.ts';
import { memoize } from '../cache/memoize.ts';
import { stringMemory } from './string-memory.ts';

export interface Gpp {
  /** The TCF consent string of the EU section. */
  tcf?: string;
  us: { section: number; choice: UsChoice }[];
}

export const tcfSection = 2;

const headerText = /^[\w-]{1,100}$/;
const headerType = 3;
const headerVersion = 1;
const mostSections = 50;

function decode(text: string): Gpp | 'undecodable' {
  const [header = '', ...sections] = text.split('~', mostSections + 2);
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
 * Ascending ids, each given by its distance from the one before, singly or as a range. Read here and not by the
 * library, which writes a range out however long: fifteen characters are enough to exhaust the memory.
 */
function readSectionIds(header: string): number[] | undefined {
  if (!headerText.test(header)) return undefined;
  const bits = new BitReader(header);
  if (bits.integer(6) !== headerType || bits.integer(6) !== headerVersion) return undefined;
  const ids: number[] = [];
  let last = 0;
  for (let left = bits.integer(12); left > 0; left--) {
    const isRange = bits.flag();
    const first = last + bits.fibonacci();
    last = isRange ? first + bits.fibonacci() : first;
    if (bits.overrun || last - first >= mostSections) return undefined;
    for (let id = first; id <= last; id++) ids.push(id);
    if (ids.length > mostSections) return undefined;
  }
  return ids;
}

export const readGpp = memoize(stringMemory, decode);
