/** Whether a US section of a GPP string, the national one or a state's, opts out of what partners would do with it. */
import { GppModel, Sections } from '@iabgpp/cmpapi';
import { isUsPrivacy, optsOutOfSale } from './us-privacy.ts';

export type UsChoice = 'opted out' | 'not opted out' | 'undecodable';

export const usPrivacySection = 6;

/** The longest layout takes some 20 characters; the library's time grows with the text. */
const longestText = 100;
const optOuts = ['SaleOptOut', 'SharingOptOut', 'TargetedAdvertisingOptOut'];
const optedOut = 1;
const noMeaning = 3;

export function readUsSection(id: number, text: string): UsChoice {
  if (id === usPrivacySection) {
    if (!isUsPrivacy(text)) return 'undecodable';
    return optsOutOfSale(text) ? 'opted out' : 'not opted out';
  }
  const fields = decode(id, text);
  if (fields === undefined) return 'undecodable';
  const choices = optOuts.map((name) => fields[name]);
  if (choices.includes(noMeaning)) return 'undecodable';
  return choices.includes(optedOut) || fields['Gpc'] === true ? 'opted out' : 'not opted out';
}

/** Undefined also for a section the library does not know: what cannot be read cannot be taken as permission. */
function decode(id: number, text: string): Record<string, unknown> | undefined {
  const name = Sections.SECTION_ID_NAME_MAP.get(id);
  if (name === undefined || text === '' || text.length > longestText) return undefined;
  try {
    const model = new GppModel();
    model.decodeSection(name, text);
    const fields = model.getSection(name) as Record<string, unknown>;
    return isKnownVersion(fields['Version'] ?? fields['MspaVersion']) ? fields : undefined;
  } catch {
    return undefined;
  }
}

/** The library reads any version by the layout it knows, which for versions to come would be a guess. */
const isKnownVersion = (version: unknown): boolean => version === 1 || version === 2;
