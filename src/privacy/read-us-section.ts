/** Reads opt-outs from the US Privacy string and from the US sections of a GPP string, national and per state. */
import { GppModel, Sections } from '@iabgpp/cmpapi';

export type UsChoice = 'opted out' | 'not opted out' | 'undecodable';

/** The GPP section that holds a US Privacy string. */
export const usPrivacySection = 6;

/** Version 1, then one character each for notice given, opted out of sale, covered by the LSPA. */
const usPrivacyPattern = /^1[YN-]{3}$/i;

/** The longest known layout takes about 20 characters, and decoding time grows with the length. */
const maxSectionLength = 100;
const optOutFields = ['SaleOptOut', 'SharingOptOut', 'TargetedAdvertisingOptOut'];
const optedOut = 1;
/** Valid choices are 0, 1 and 2. */
const invalidChoice = 3;

export function readUsSection(id: number, text: string): UsChoice {
  if (id === usPrivacySection) {
    if (!usPrivacyPattern.test(text)) return 'undecodable';
    return optsOutOfSale(text) ? 'opted out' : 'not opted out';
  }
  const fields = decode(id, text);
  if (fields === undefined) return 'undecodable';
  const choices = optOutFields.map((name) => fields[name]);
  if (choices.includes(invalidChoice)) return 'undecodable';
  return choices.includes(optedOut) || fields['Gpc'] === true ? 'opted out' : 'not opted out';
}

/** Whether a US Privacy string opts out of the sale of personal data. */
export const optsOutOfSale = (usPrivacy: string): boolean => usPrivacy[2] === 'Y' || usPrivacy[2] === 'y';

/** Also returns undefined for a section that the library does not know: it may contain an opt-out. */
function decode(id: number, text: string): Record<string, unknown> | undefined {
  const name = Sections.SECTION_ID_NAME_MAP.get(id);
  if (name === undefined || text === '' || text.length > maxSectionLength) return undefined;
  try {
    const model = new GppModel();
    model.decodeSection(name, text);
    const fields = model.getSection(name) as Record<string, unknown>;
    return isKnownVersion(fields['Version'] ?? fields['MspaVersion']) ? fields : undefined;
  } catch {
    return undefined;
  }
}

/** The library decodes every version with the layout it knows, which may be wrong for later versions. */
const isKnownVersion = (version: unknown): boolean => version === 1 || version === 2;
