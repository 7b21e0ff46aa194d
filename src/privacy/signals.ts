/** The privacy signals that restrict what partners receive, each with the level of redaction that it requires. */
import type { Redaction } from './redacted-fields.ts';

export interface Signal {
  name: string;
  /** Where the request carries it. */
  fields: readonly string[];
  redaction: Redaction;
}

export const signals = {
  coppa: { name: 'COPPA', fields: ['regs.coppa'], redaction: 'child' },
  gdpr: {
    name: 'GDPR without consent',
    fields: ['regs.gdpr', 'regs.ext.gdpr', 'regs.gpp_sid', 'regs.ext.gpp_sid'],
    redaction: 'standard',
  },
  usPrivacy: {
    name: 'US Privacy opt-out',
    fields: ['regs.us_privacy', 'regs.ext.us_privacy'],
    redaction: 'standard',
  },
  consent: {
    name: 'Consent string too long',
    fields: ['user.consent', 'user.ext.consent'],
    redaction: 'standard',
  },
  gpp: { name: 'GPP opt-out', fields: ['regs.gpp', 'regs.ext.gpp'], redaction: 'standard' },
  gpc: { name: 'Global Privacy Control', fields: ['regs.ext.gpc'], redaction: 'standard' },
  lmt: { name: 'Limit Ad Tracking', fields: ['device.lmt'], redaction: 'identifiers' },
  dnt: { name: 'Do Not Track', fields: ['device.dnt'], redaction: 'identifiers' },
} as const satisfies Record<string, Signal>;
