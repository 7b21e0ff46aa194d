/** Decides from the privacy signals in `regs` and `user` how far a request must be redacted for partners. */
import { isNonEmptyString } from '../json/guards.ts';
import type { BidRequest, Regs, User } from '../openrtb/bid-request.ts';
import type { Warning } from '../openrtb/bid-response.ts';
import { type Gpp, readGpp, tcfSection } from './read-gpp.ts';
import { readTcfConsent } from './read-tcf-consent.ts';
import { optsOutOfSale } from './read-us-section.ts';
import { consentMissing, consentUndecodable, gppUndecodable } from './warnings.ts';

export interface PrivacyDecision {
  /**
   * - `none`: partners receive the request unchanged.
   * - `standard`: no identifiers and no profile; IP address and coordinates are coarsened.
   * - `child` (COPPA): as `standard`, but without coordinates.
   */
  redaction: 'none' | 'standard' | 'child';
  warnings: Warning[];
}

export function decidePrivacy({ regs, user }: BidRequest): PrivacyDecision {
  const warnings: Warning[] = [];
  if (!regs) return { redaction: 'none', warnings };
  const gpp = readApplicableGpp(regs);
  const gdprApplies = (regs.gdpr ?? regs.ext?.gdpr) === 1;
  const consented = !gdprApplies || hasConsent(user, gpp, warnings);
  const optedOut = hasUsPrivacyOptOut(regs) || hasGppOptOut(gpp, warnings);
  if (regs.coppa === 1) return { redaction: 'child', warnings };
  return { redaction: consented && !optedOut ? 'none' : 'standard', warnings };
}

/** Returns the sections that `gpp_sid` lists, or all sections if `gpp_sid` is absent. */
function readApplicableGpp(regs: Regs): Gpp | 'undecodable' | undefined {
  const text = nonEmpty(regs.gpp ?? regs.ext?.gpp);
  if (text === undefined) return undefined;
  const gpp = readGpp(text);
  const sectionIds: unknown = regs.gpp_sid ?? regs.ext?.gpp_sid;
  return gpp === 'undecodable' || !Array.isArray(sectionIds) ? gpp : onlyListed(gpp, sectionIds);
}

/** At most one pass over `sectionIds`, which a caller can make long; a GPP string has few sections. */
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
function hasConsent(user: User | undefined, gpp: Gpp | 'undecodable' | undefined, warnings: Warning[]): boolean {
  const userConsent = nonEmpty(user?.consent ?? user?.ext?.consent);
  const text = userConsent ?? (gpp === 'undecodable' ? undefined : gpp?.tcf);
  if (text === undefined) {
    warnings.push(consentMissing);
    return false;
  }
  const consent = readTcfConsent(text);
  if (consent === 'undecodable') warnings.push(consentUndecodable(fieldOf(userConsent, user)));
  return consent === 'granted';
}

function fieldOf(userConsent: string | undefined, user: User | undefined): string {
  if (userConsent === undefined) return 'regs.gpp';
  return userConsent === user?.consent ? 'user.consent' : 'user.ext.consent';
}

function hasUsPrivacyOptOut(regs: Regs): boolean {
  const text = nonEmpty(regs.us_privacy ?? regs.ext?.us_privacy);
  return text !== undefined && optsOutOfSale(text);
}

/** An undecodable string or section is treated as an opt-out, with a warning, even if another section opts out. */
function hasGppOptOut(gpp: Gpp | 'undecodable' | undefined, warnings: Warning[]): boolean {
  if (gpp === undefined) return false;
  if (gpp === 'undecodable' || gpp.us.some(({ choice }) => choice === 'undecodable')) {
    warnings.push(gppUndecodable);
    return true;
  }
  return gpp.us.some(({ choice }) => choice === 'opted out');
}

/** An empty string is treated as absent. */
const nonEmpty = (value: unknown): string | undefined => (isNonEmptyString(value) ? value : undefined);
