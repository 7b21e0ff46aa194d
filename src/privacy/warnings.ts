/** The warnings about missing or undecodable privacy signals; a request with a warning is served. */
import type { Warning } from '../openrtb/bid-response.ts';

export const consentMissing: Warning = {
  code: 'GDPR_CONSENT_MISSING',
  field: 'user.ext.consent',
  message: 'GDPR applies, but the request carries no consent string',
};

export const consentUndecodable = (field: string): Warning => ({
  code: 'GDPR_CONSENT_UNDECODABLE',
  field,
  message:
    'GDPR applies, but the consent string is not a valid TCF 2 string of at most 8,192 characters; it is treated as no consent',
});

export const gppUndecodable: Warning = {
  code: 'GPP_UNDECODABLE',
  field: 'regs.gpp',
  message:
    'The GPP string, or one of its applicable sections, cannot be decoded or is longer than 8,192 characters; it is treated as an opt-out',
};

/** All codes, so that their counters can start at zero. */
export const warningCodes = [consentMissing, consentUndecodable(''), gppUndecodable].map(({ code }) => code);
