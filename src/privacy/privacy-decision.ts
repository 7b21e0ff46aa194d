/** Decides from the privacy signals in `regs`, `user` and `device` how far a request must be redacted for each partner. */
import { isNonEmptyString, isSet } from '../json/guards.ts';
import type { BidRequest, Regs, User } from '../openrtb/bid-request.ts';
import type { Warning } from '../openrtb/bid-response.ts';
import { isTooLong } from './consent-string.ts';
import { type Gpp, readGpp, tcfSection } from './read-gpp.ts';
import { readTcfConsent, type TcfConsent } from './read-tcf-consent.ts';
import { optsOutOfSale } from './read-us-section.ts';
import { mostRestrictive, type Redaction } from './redacted-fields.ts';
import { type Signal, signals } from './signals.ts';
import { consentMissing, consentTooLong, consentUndecodable, gppUndecodable } from './warnings.ts';

export interface PrivacyDecision {
  /** The signals that restrict every partner, whatever its consent. */
  signals: readonly Signal[];
  /** What these signals require together. */
  redaction: Redaction;
  /** Set if GDPR applies: partners without consent need the redaction of that signal too. */
  gdpr?: GdprConsent;
  /** What the caller should correct. */
  warnings: Warning[];
}

export interface GdprConsent {
  /** The field of the consent string. */
  field: string;
  consent: TcfConsent | 'missing' | 'undecodable';
}

export function decidePrivacy({ regs, user, device }: BidRequest): PrivacyDecision {
  const found: Signal[] = [];
  const warnings: Warning[] = [];
  const sectionIds = regs ? sectionIdsOf(regs) : undefined;
  const gpp = regs ? readApplicableGpp(regs, sectionIds) : undefined;
  const gdpr = regs && gdprApplies(regs, sectionIds) ? readConsent(user, regs, gpp, warnings) : undefined;
  if (regs?.coppa === 1) found.push(signals.coppa);
  if (hasTooLongConsent(user, gdpr, warnings)) found.push(signals.consent);
  if (regs && hasUsPrivacyOptOut(regs)) found.push(signals.usPrivacy);
  if (regs && hasGppOptOut(gpp, regs, warnings)) found.push(signals.gpp);
  if (isSet(regs?.ext?.gpc)) found.push(signals.gpc);
  if (isSet(device?.lmt)) found.push(signals.lmt);
  if (isSet(device?.dnt)) found.push(signals.dnt);
  let redaction: Redaction = 'none';
  for (const signal of found) redaction = mostRestrictive(redaction, signal.redaction);
  return { signals: found, redaction, warnings, ...(gdpr && { gdpr }) };
}

/** Whether the partner with this vendor id may receive personal data under GDPR. */
export const hasConsent = ({ consent }: GdprConsent, gvlId: number | undefined): boolean =>
  gvlId !== undefined && typeof consent === 'object' && consent.purpose1 && consent.hasVendor(gvlId);

/** An empty list is the same as an absent one: no section is known to apply. */
function sectionIdsOf({ gpp_sid, ext }: Regs): readonly unknown[] | undefined {
  if (isNonEmptyArray(gpp_sid)) return gpp_sid;
  return isNonEmptyArray(ext?.gpp_sid) ? ext.gpp_sid : undefined;
}

const gdprApplies = (regs: Regs, sectionIds: readonly unknown[] | undefined): boolean =>
  (regs.gdpr ?? regs.ext?.gdpr) === 1 || sectionIds?.includes(tcfSection) === true;

/** Returns the sections that `gpp_sid` lists, or all sections if `gpp_sid` is absent. */
function readApplicableGpp(regs: Regs, sectionIds: readonly unknown[] | undefined): Gpp | 'undecodable' | undefined {
  const text = firstNonEmpty(regs.gpp, regs.ext?.gpp);
  if (text === undefined) return undefined;
  const gpp = readGpp(text);
  return gpp === 'undecodable' || !sectionIds ? gpp : onlyListed(gpp, sectionIds);
}

/** One pass over `sectionIds`, which a caller can make long; a GPP string has few sections. */
function onlyListed({ tcf, us }: Gpp, sectionIds: readonly unknown[]): Gpp {
  const unlisted = new Map<unknown, Gpp['us'][number]>(us.map((one) => [one.section, one]));
  const listed: Gpp = { us: [] };
  for (const id of sectionIds) {
    if (id === tcfSection && tcf !== undefined) listed.tcf = tcf;
    const section = unlisted.get(id);
    if (!section) continue;
    listed.us.push(section);
    unlisted.delete(id);
  }
  return listed;
}

/** A consent string in `user` takes precedence; the EU section of an applicable GPP string is the fallback. */
function readConsent(
  user: User | undefined,
  regs: Regs,
  gpp: Gpp | 'undecodable' | undefined,
  warnings: Warning[],
): GdprConsent {
  const userConsent = firstNonEmpty(user?.consent, user?.ext?.consent);
  const text = userConsent ?? (gpp === 'undecodable' ? undefined : gpp?.tcf);
  if (text === undefined) {
    warnings.push(consentMissing);
    return { field: consentMissing.field, consent: 'missing' };
  }
  const field = userConsent === undefined ? gppFieldOf(regs) : consentFieldOf(user);
  const consent = readTcfConsent(text);
  if (consent === 'undecodable') warnings.push(consentUndecodable(field));
  return { field, consent };
}

/** An opt-out also where GDPR does not apply; where it does, there is a warning already. */
function hasTooLongConsent(user: User | undefined, gdpr: GdprConsent | undefined, warnings: Warning[]): boolean {
  if (!isTooLong(firstNonEmpty(user?.consent, user?.ext?.consent))) return false;
  if (!gdpr) warnings.push(consentTooLong(consentFieldOf(user)));
  return true;
}

/** The field that the consent string was read from. */
const consentFieldOf = (user: User | undefined): string =>
  isNonEmptyString(user?.consent) ? 'user.consent' : 'user.ext.consent';

/** The field that the GPP string was read from. */
const gppFieldOf = ({ gpp }: Regs): string => (isNonEmptyString(gpp) ? 'regs.gpp' : 'regs.ext.gpp');

function hasUsPrivacyOptOut(regs: Regs): boolean {
  const text = firstNonEmpty(regs.us_privacy, regs.ext?.us_privacy);
  return text !== undefined && optsOutOfSale(text);
}

/** An undecodable string or section is treated as an opt-out, with a warning, even if another section opts out. */
function hasGppOptOut(gpp: Gpp | 'undecodable' | undefined, regs: Regs, warnings: Warning[]): boolean {
  if (gpp === undefined) return false;
  if (gpp === 'undecodable' || gpp.us.some(({ choice }) => choice === 'undecodable')) {
    warnings.push(gppUndecodable(gppFieldOf(regs)));
    return true;
  }
  return gpp.us.some(({ choice }) => choice === 'opted out');
}

/** The field of OpenRTB 2.6, else the one of its extension in 2.5. An empty string is treated as absent. */
function firstNonEmpty(field: unknown, inExt: unknown): string | undefined {
  if (isNonEmptyString(field)) return field;
  return isNonEmptyString(inExt) ? inExt : undefined;
}

const isNonEmptyArray = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 0;
