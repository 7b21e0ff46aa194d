/** What targeting looks at around an impression. */
import { formatKey } from '../../openrtb/adcp-format.ts';
import type { BidRequest, Imp } from '../../openrtb/bid-request.ts';
import { requestKeywords } from '../../openrtb/keywords.ts';

/** The members of a target, from the one that narrows most to the one that narrows least. */
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

export type Surroundings = Readonly<Record<TargetMember, readonly string[]>>;

export function readSurroundings(request: BidRequest, imp: Imp): Surroundings {
  const { site, app, device, ext } = request;
  return {
    formats: imp.ext?.service?.adcpFormats?.map(formatKey) ?? none,
    keywords: requestKeywords(request),
    categories: site?.cat ?? app?.cat ?? none,
    countries: listed(device?.geo?.country),
    intents: listed(intentSignal(ext?.service?.intent?.value)),
    funnelStages: listed(ext?.service?.funnel?.stage),
    sentiments: listed(ext?.service?.sentiment?.value),
  };
}

const intents = ['purchase_inquiry', 'information_seeking', 'support_request', 'comparison', 'objection_handling'];

/** Any intent is valid, but one outside the list carries no signal. */
const intentSignal = (value: string | undefined) =>
  value !== undefined && intents.includes(value) ? value : undefined;

const none: readonly string[] = [];
const listed = (value: string | undefined): readonly string[] => (value === undefined ? none : [value]);
