/** What the privacy signals of a request allow partners to see: the law as `regs` names it, the choice as `user` made it. */
import type { BidRequest, Regs, User } from '../openrtb/bid-request.ts';
import type { Warning } from '../openrtb/bid-response.ts';
import { type Gpp, readGpp, tcfSection } from './read-gpp.ts';
import { readTcfConsent } from './read-tcf-consent.ts';
import { optsOutOfSale } from './us-privacy.ts';
import { consentMissing, consentUndecodable, gppUndecodable } from './warnings.ts';

export interface Decision {
  /** `reduced` is without identity and with a coarse place; `child` is without any place. */
  disclosure: 'full' | 'reduced' | 'child';
  warnings: Warning[];
}

export function decidePrivacy({ regs, user }: BidRequest): Decision {
  const warnings: Warning[] = [];
  if (!regs) return { disclosure: 'full', warnings };
  const gpp = applicableGpp(regs);
  const consented = (regs.gdpr ?? regs.ext?.gdpr) !== 1 || hasConsent(user, gpp, warnings);
  const optedOut = hasUsPrivacyOptOut(regs) || hasGppOptOut(gpp, warnings);
  if (regs.coppa === 1) return { disclosure: 'child', warnings };
  return { disclosure: consented && !optedOut ? 'full' : 'reduced', warnings };
}

/** The sections in force: those that `gpp_sid` lists, all where it is absent. */
function applicableGpp(regs: Regs): Gpp | 'undecodable' | undefined {
  const text = textIn(regs.gpp ?? regs.ext?.gpp);
  if (text === undefined) return undefined;
  const gpp = readGpp(text);
  const listed: unknown = regs.gpp_sid ?? regs.ext?.gpp_sid;
  if (gpp === 'undecodable' || !Array.isArray(listed)) return gpp;
  const us = gpp.us.filter(({ section }) => listed.includes(section));
  return gpp.tcf !== undefined && listed.includes(tcfSection) ? { tcf: gpp.tcf, us } : { us };
}

/** A string in `user` speaks for itself; only without one the EU section of an applicable GPP string stands in for it. */
function hasConsent(user: User | undefined, gpp: Gpp | 'undecodable' | undefined, warnings: Warning[]): boolean {
  const own = textIn(user?.consent ?? user?.ext?.consent);
  const text = own ?? (gpp === 'undecodable' ? undefined : gpp?.tcf);
  if (text === undefined) {
    warnings.push(consentMissing);
    return false;
  }
  const consent = readTcfConsent(text);
  if (consent === 'undecodable') warnings.push(consentUndecodable(placeOf(own, user)));
  return consent === 'granted';
}

function placeOf(own: string | undefined, user: User | undefined): string {
  if (own === undefined) return 'regs.gpp';
  return own === user?.consent ? 'user.consent' : 'user.ext.consent';
}

function hasUsPrivacyOptOut(regs: Regs): boolean {
  const text = textIn(regs.us_privacy ?? regs.ext?.us_privacy);
  return text !== undefined && optsOutOfSale(text);
}

/** What cannot be read counts as an opt-out; a readable opt-out beside it does not silence the warning. */
function hasGppOptOut(gpp: Gpp | 'undecodable' | undefined, warnings: Warning[]): boolean {
  if (gpp === undefined) return false;
  if (gpp === 'undecodable' || gpp.us.some(({ choice }) => choice === 'undecodable')) {
    warnings.push(gppUndecodable);
    return true;
  }
  return gpp.us.some(({ choice }) => choice === 'opted out');
}

/** The empty string says as little as none. */
const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
