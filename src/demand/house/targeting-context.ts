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

/** Reads a member's values when they are asked for: few campaigns ask for all. */
export type TargetingContext = (member: TargetMember) => readonly string[];

export const targetingContext =
  (request: BidRequest, imp: Imp): TargetingContext =>
  (member) => {
    const { site, app, device, ext } = request;
    switch (member) {
      case 'formats':
        return [...new Set(imp.ext?.service?.adcpFormats?.map(formatKey))];
      case 'keywords':
        return requestKeywords(request);
      case 'categories':
        return site?.cat ?? app?.cat ?? none;
      case 'countries':
        return listed(device?.geo?.country);
      case 'intents':
        return listed(intentSignal(ext?.service?.intent?.value));
      case 'funnelStages':
        return listed(ext?.service?.funnel?.stage);
      case 'sentiments':
        return listed(ext?.service?.sentiment?.value);
    }
  };

const intents = ['purchase_inquiry', 'information_seeking', 'support_request', 'comparison', 'objection_handling'];

/** Any intent is valid, but one outside the list carries no signal. */
const intentSignal = (value: string | undefined) =>
  value !== undefined && intents.includes(value) ? value : undefined;

const none: readonly string[] = [];
const listed = (value: string | undefined): readonly string[] => (value === undefined ? none : [value]);
