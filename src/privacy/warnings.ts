/** What a caller is told about privacy signals that are missing or cannot be read; the request is served all the same. */
import type { Warning } from '../openrtb/bid-response.ts';

export const consentMissing: Warning = {
  code: 'GDPR_CONSENT_MISSING',
  field: 'user.ext.consent',
  message: 'GDPR applies, but the request carries no consent string',
};

export const consentUndecodable = (field: string): Warning => ({
  code: 'GDPR_CONSENT_UNDECODABLE',
  field,
  message: 'GDPR applies, but the consent string is not a readable TCF 2 string; it counts as no consent',
});

export const gppUndecodable: Warning = {
  code: 'GPP_UNDECODABLE',
  field: 'regs.gpp',
  message: 'The GPP string, or a section of it that applies, cannot be read; it counts as an opt-out',
};

/** Every code there is. */
export const warningCodes = [consentMissing, consentUndecodable(''), gppUndecodable].map(({ code }) => code);
