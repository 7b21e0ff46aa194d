/** The warnings about consent and redaction; a request with a warning is served. */
import { maxConsentLength } from './consent-string.ts';
import type { Warning } from '../openrtb/bid-response.ts';

const maxLength = maxConsentLength.toLocaleString('en-US');

const unusable = (field: string, message: string): Warning => ({ code: 'CONSENT_UNUSABLE', field, message });

export const consentMissing: Warning = unusable(
  'user.ext.consent',
  'GDPR applies, but the request carries no consent string',
);

export const consentUndecodable = (field: string): Warning =>
  unusable(
    field,
    `GDPR applies, but the consent string is not a valid TCF 2 string of at most ${maxLength} characters; it is treated as no consent`,
  );

export const consentTooLong = (field: string): Warning =>
  unusable(field, `The consent string is longer than ${maxLength} characters; it is treated as an opt-out`);

export const gppUndecodable = (field: string): Warning =>
  unusable(
    field,
    `The GPP string, or one of its applicable sections, cannot be decoded or is longer than ${maxLength} characters; it is treated as an opt-out`,
  );

/** In test mode only: the user's choice is nothing that the caller can correct. */
export const purpose1Denied = (field: string): Warning =>
  unusable(field, 'The consent string does not grant consent to purpose 1; no partner receives personal data');

/** In test mode only. */
export const vendorsDenied = (field: string, partners: readonly string[]): Warning =>
  unusable(field, `The consent string does not grant vendor consent to ${partners.join(', ')}`);

/** In test mode only. */
export const redacted = (field: string, message: string): Warning => ({ code: 'REDACTED', field, message });

/** The codes that live requests can cause, so that their counters can start at zero. */
export const warningCodes = [consentMissing.code];
