/** GDPR applies and no consent string came along: a warning to the caller, never a rejection. */
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Warning } from '../openrtb/bid-response.ts';

const warning: Warning = {
  code: 'GDPR_CONSENT_MISSING',
  field: 'user.ext.consent',
  message: 'GDPR applies, but the request carries no consent string',
};

export function consentWarning({ regs, user }: BidRequest): Warning | undefined {
  const gdpr = regs?.gdpr ?? regs?.ext?.gdpr;
  const consent = user?.consent ?? user?.ext?.consent;
  return gdpr === 1 && !consent ? warning : undefined;
}
