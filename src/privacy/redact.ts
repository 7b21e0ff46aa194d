/** Redacts the personal data that partners may not receive: the stage between validation and the auction. */
import type { BidRequest } from '../openrtb/bid-request.ts';
import { decidePrivacy, hasConsent, type PrivacyDecision } from './privacy-decision.ts';
import { withoutEids } from './eids.ts';
import { mostRestrictive, type Redaction, redactedFields, redactionLevels } from './redacted-fields.ts';
import { type FieldTree, type Replace, replaceFields } from './replace-fields.ts';
import { signals } from './signals.ts';

/**
 * The request as partners may receive it: in at most two views, however many partners there are. A view is the original
 * object if nothing was redacted; otherwise a copy that shares its unchanged parts.
 */
export interface RedactedRequest {
  /** For partners without consent under GDPR; for every partner if `consented` is absent. */
  request: BidRequest;
  /** If GDPR applies: the view for the vendors with consent. */
  consented?: { request: BidRequest; hasConsent: (gvlId: number) => boolean };
  decision: PrivacyDecision;
}

/** Only the fields listed in `redactedFields` change. Unknown fields pass, and no field has to be valid. */
export function redact(original: BidRequest): RedactedRequest {
  const decision = decidePrivacy(original);
  const { redaction, gdpr } = decision;
  if (!gdpr) return { request: redactTo(redaction, original), decision };
  const request = redactTo(mostRestrictive(redaction, signals.gdpr.redaction), original);
  const isGranted = typeof gdpr.consent === 'object' && gdpr.consent.purpose1;
  if (!isGranted || request === original || redaction === 'standard' || redaction === 'child') {
    return { request, decision };
  }
  const consented = redactTo(redaction, original);
  return { request, consented: { request: consented, hasConsent: (gvlId) => hasConsent(gdpr, gvlId) }, decision };
}

const redactTo = (redaction: Redaction, request: BidRequest): BidRequest =>
  redaction === 'none' ? request : withoutEids(replaceFields(request, trees[redaction]));

type MutableTree = Map<string, Replace | MutableTree>;

/** A field inside one that the level replaces as a whole needs no rule of its own. */
function treeOf(level: Redaction): FieldTree {
  const root: MutableTree = new Map();
  const fields = redactedFields.filter(({ changes, isAnywhere }) => changes[level] && !isAnywhere);
  for (const { path, changes } of fields) {
    if (fields.some((other) => path.startsWith(`${other.path}.`))) continue;
    const names = path.split('.');
    const last = names.pop()!;
    let tree = root;
    for (const name of names) {
      const inner = (tree.get(name) as MutableTree | undefined) ?? new Map<string, Replace | MutableTree>();
      tree.set(name, inner);
      tree = inner;
    }
    tree.set(last, changes[level]!.apply);
  }
  return root;
}

const trees = Object.fromEntries(redactionLevels.map((level) => [level, treeOf(level)])) as Record<
  Redaction,
  FieldTree
>;
