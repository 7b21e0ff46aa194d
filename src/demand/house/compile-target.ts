/** Whom a campaign wants to reach, turned into one question that can be asked of an impression. */
import type { BidRequest } from '../../openrtb/bid-request.ts';
import { formatKey } from '../../openrtb/adcp-format.ts';
import { readKeywords, requestKeywords } from '../../openrtb/keywords.ts';
import type { Impression } from '../adapter.ts';
import type { Target } from './campaign.ts';

/** What targeting looks at, read once for each impression. */
export interface Surroundings {
  keywords: readonly string[];
  intents: readonly string[];
  funnelStages: readonly string[];
  sentiments: readonly string[];
  countries: readonly string[];
  categories: readonly string[];
  formats: readonly string[];
}

type Question = (here: Surroundings) => boolean;

export function readSurroundings(request: BidRequest, { imp }: Impression): Surroundings {
  const { site, app, device, ext } = request;
  const listed = (value: string | undefined) => (value === undefined ? [] : [value]);
  return {
    keywords: requestKeywords(request),
    intents: listed(ext?.service?.intent?.value),
    funnelStages: listed(ext?.service?.funnel?.stage),
    sentiments: listed(ext?.service?.sentiment?.value),
    countries: listed(device?.geo?.country),
    categories: site?.cat ?? app?.cat ?? [],
    formats: imp.ext?.service?.adcpFormats?.map(formatKey) ?? [],
  };
}

export function compileTarget(target: Target = {}): Question {
  const wanted: [keyof Surroundings, string[] | undefined][] = [
    ['keywords', target.keywords?.flatMap(readKeywords)],
    ['intents', target.intents],
    ['funnelStages', target.funnelStages],
    ['sentiments', target.sentiments],
    ['countries', target.countries],
    ['categories', target.categories],
    ['formats', target.formats?.map(formatKey)],
  ];
  const questions = wanted.flatMap(([member, values]) => (values ? [anyOf(member, new Set(values))] : []));
  return (here) => questions.every((matches) => matches(here));
}

const anyOf =
  (member: keyof Surroundings, wanted: ReadonlySet<string>): Question =>
  (here) =>
    here[member].some((value) => wanted.has(value));
