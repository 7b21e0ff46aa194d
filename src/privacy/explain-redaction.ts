/** In test mode: which consent was not usable, which fields were redacted, and for which signal. */
import { isObject } from '../json/guards.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Warning } from '../openrtb/bid-response.ts';
import { findEids } from './eids.ts';
import { hasConsent, type PrivacyDecision } from './privacy-decision.ts';
import type { RedactedRequest } from './redact.ts';
import { type RedactedField, redactedFields } from './redacted-fields.ts';
import { type Signal, signals } from './signals.ts';
import { purpose1Denied, redacted, vendorsDenied } from './warnings.ts';

/** A partner of the auction, with its vendor id if it has one. */
export interface Vendor {
  name: string;
  gvlId?: number | undefined;
}

/** The warnings besides those of the decision. */
export function explainRedaction(
  original: BidRequest,
  { request, decision }: RedactedRequest,
  partners: readonly Vendor[],
): Warning[] {
  return [...unusableConsent(decision, partners), ...redactions(original, request, decision, partners)];
}

/** A partner without a vendor id is not reported here: no consent string can name it. */
function unusableConsent({ gdpr }: PrivacyDecision, partners: readonly Vendor[]): Warning[] {
  if (!gdpr || typeof gdpr.consent === 'string') return []; // missing and undecodable strings are warnings of the decision
  if (!gdpr.consent.purpose1) return [purpose1Denied(gdpr.field)];
  const denied = partners.filter(({ gvlId }) => gvlId !== undefined && !hasConsent(gdpr, gvlId));
  if (denied.length === 0) return [];
  return [
    vendorsDenied(
      gdpr.field,
      denied.map(({ name, gvlId }) => `${name} (vendor ${gvlId})`),
    ),
  ];
}

/** One warning per field that at least one partner does not receive as it was sent. */
function redactions(
  original: BidRequest,
  request: BidRequest,
  decision: PrivacyDecision,
  partners: readonly Vendor[],
): Warning[] {
  const { gdpr } = decision;
  const withoutConsent = gdpr ? partners.filter(({ gvlId }) => !hasConsent(gdpr, gvlId)) : [];
  const names = withoutConsent.map(({ name }) => name).join(', ');
  return redactedFields.flatMap((field) => {
    const changed = field.isAnywhere ? removedEids(original, request) : changedPath(original, request, field.path);
    if (changed.length === 0) return [];
    const reasons = reasonsFor(field, decision.signals, 'all partners');
    if (withoutConsent.length > 0) reasons.push(...reasonsFor(field, [signals.gdpr], names));
    return reasons.length === 0 ? [] : changed.map((path) => redacted(path, reasons.join('; ')));
  });
}

/** Every level above `none` removes all of them. */
const removedEids = (original: object, request: object): string[] => (request === original ? [] : findEids(original));

function changedPath(original: object, request: object, path: string): string[] {
  const value = valueAt(original, path);
  return value === undefined || value === null || valueAt(request, path) === value ? [] : [path];
}

/** Such as "COPPA: removed for all partners". */
function reasonsFor({ changes }: RedactedField, found: readonly Signal[], receivers: string): string[] {
  return found.flatMap(({ name, redaction }) => {
    const change = changes[redaction];
    return change ? [`${name}: ${change.description} for ${receivers}`] : [];
  });
}

function valueAt(request: object, path: string): unknown {
  let value: unknown = request;
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
  return value;
}
