/** The values of a request that campaign targeting matches against. */
import { formatKey } from '../../openrtb/adcp-format.ts';
import type { BidRequest, Imp } from '../../openrtb/bid-request.ts';
import { intents } from '../../openrtb/intents.ts';
import { requestKeywords } from '../../openrtb/keywords.ts';

/** The members of a target, most selective first. */
export const targetMembers = [
  'formats',
  'keywords',
  'categories',
  'countries',
  'intents',
  'funnelStages',
  'sentiments',
] as const;

export type TargetMember = (typeof targetMembers)[number];

/** Reads the values of one member on demand: few campaigns need them all. */
export type TargetingContext = (member: TargetMember) => readonly string[];

/** Without `imp`, a request has no formats. A member is read once, however many campaigns are compared with it. */
export function targetingContext(request: BidRequest, imp?: Imp): TargetingContext {
  const known: Partial<Record<TargetMember, readonly string[]>> = {};
  return (member) => (known[member] ??= valuesOf(member, request, imp));
}

function valuesOf(member: TargetMember, request: BidRequest, imp: Imp | undefined): readonly string[] {
  const { site, app, device, ext } = request;
  switch (member) {
    case 'formats':
      return [...new Set(imp?.ext?.service?.adcpFormats?.map(formatKey))];
    case 'keywords':
      return requestKeywords(request);
    case 'categories':
      return distinct(site?.cat ?? app?.cat ?? none);
    case 'countries':
      return listOf(device?.geo?.country);
    case 'intents':
      return listOf(knownIntent(ext?.service?.intent?.value));
    case 'funnelStages':
      return listOf(ext?.service?.funnel?.stage);
    case 'sentiments':
      return listOf(ext?.service?.sentiment?.value);
  }
}

/** Any intent is valid in a request; one outside the list matches no campaign. */
const knownIntent = (value: string | undefined) => (value !== undefined && intents.includes(value) ? value : undefined);

/** A value that a request repeats is looked up once. */
const distinct = (values: readonly string[]): readonly string[] => (values.length > 1 ? [...new Set(values)] : values);

const none: readonly string[] = [];
const listOf = (value: string | undefined): readonly string[] => (value === undefined ? none : [value]);
