/** Indexes campaigns by what they target, so that a request is compared only with those that may match it. */
import { toMicros } from '../../money/micros.ts';
import { formatKeys } from '../../openrtb/adcp-format.ts';
import { readKeywords } from '../../openrtb/keywords.ts';
import type { NativeCreative } from '../../openrtb/native-creative.ts';
import type { Offer } from '../../openrtb/seller-controls.ts';
import type { Campaign, Target } from './campaign.ts';
import { type TargetingContext, type TargetMember, targetMembers } from './targeting-context.ts';

export interface IndexedCampaign {
  owner: Campaign;
  priceMicros: number;
  creative: NativeCreative;
  /** What the seller's controls read. */
  offer: Offer;
  /** Its position among all campaigns, highest price first. */
  rank: number;
  /** All must match. It is indexed by the first. */
  conditions: Condition[];
  /** The latest search that compared it. */
  lastSearch: number;
}

export class CampaignIndex {
  /** Highest price first. */
  readonly #all: IndexedCampaign[] = [];
  /** Campaigns without a target. */
  readonly #untargeted: IndexedCampaign[] = [];
  /** By the first member that a campaign targets, then by that member's values. */
  readonly #indexes: { member: TargetMember; byValue: Map<string, IndexedCampaign[]> }[] = [];

  #searches = 0;

  /** `buyerSeat` is the seat of all campaigns. */
  constructor(campaigns: readonly Campaign[], buyerSeat: string) {
    const highestFirst = campaigns.toSorted((a, b) => b.cpm - a.cpm || dealFirst(a, b));
    for (const [rank, owner] of highestFirst.entries()) this.#add(owner, rank, buyerSeat);
  }

  /** The campaigns that match by members of the request, highest price first; ties: deals, then the order of the partners file. */
  matchingRequest(context: TargetingContext): readonly IndexedCampaign[] {
    return this.#find(context, this.#untargeted, (member) => member !== 'formats');
  }

  /** The campaigns that match an impression: those of its request, and those that match by its formats. */
  matchingImpression(context: TargetingContext, ofRequest: readonly IndexedCampaign[]): readonly IndexedCampaign[] {
    return this.#find(context, ofRequest, (member) => member === 'formats');
  }

  /** For a report, of the `max` campaigns with the highest prices: the first member by which each does not match. */
  unmatchedMembers(context: TargetingContext, max: number): TargetMember[] {
    return this.#all.slice(0, max).flatMap(({ conditions }) => unmatchedMember(conditions, context) ?? []);
  }

  #find(
    context: TargetingContext,
    others: readonly IndexedCampaign[],
    includes: (member: TargetMember) => boolean,
  ): readonly IndexedCampaign[] {
    const search = ++this.#searches;
    let found: IndexedCampaign[] | undefined;
    for (const { member, byValue } of this.#indexes) {
      if (!includes(member)) continue;
      for (const value of context(member)) {
        for (const campaign of byValue.get(value) ?? none) {
          if (campaign.lastSearch === search) continue; // another of its values has matched
          campaign.lastSearch = search;
          if (matches(campaign, context)) (found ??= []).push(campaign);
        }
      }
    }
    return found ? merge(found.sort(byRank), others) : others;
  }

  #add(owner: Campaign, rank: number, buyerSeat: string): void {
    const conditions = conditionsOf(owner.target ?? {});
    const campaign: IndexedCampaign = {
      owner,
      priceMicros: toMicros(owner.cpm, 1),
      creative: creativeOf(owner),
      offer: offerOf(owner, buyerSeat),
      rank,
      conditions,
      lastSearch: 0,
    };
    this.#all.push(campaign);
    const [first] = conditions;
    if (!first) {
      this.#untargeted.push(campaign);
      return;
    }
    const [member, values] = first;
    let index = this.#indexes.find((one) => one.member === member);
    if (!index) this.#indexes.push((index = { member, byValue: new Map() }));
    const { byValue } = index;
    for (const value of values) {
      const campaigns = byValue.get(value);
      if (campaigns) campaigns.push(campaign);
      else byValue.set(value, [campaign]);
    }
  }
}

const none: readonly IndexedCampaign[] = [];

/** As in the auction: on equal price the bid with a deal wins. */
const dealFirst = (a: Campaign, b: Campaign): number => Number(b.dealid !== undefined) - Number(a.dealid !== undefined);

const byRank = (a: IndexedCampaign, b: IndexedCampaign): number => a.rank - b.rank;

/** Both lists are in order. */
function merge(found: readonly IndexedCampaign[], others: readonly IndexedCampaign[]): IndexedCampaign[] {
  const merged: IndexedCampaign[] = [];
  let next = 0;
  for (const campaign of found) {
    while (next < others.length && others[next]!.rank < campaign.rank) merged.push(others[next++]!);
    merged.push(campaign);
  }
  while (next < others.length) merged.push(others[next++]!);
  return merged;
}

/** The first condition is known to match. */
function matches({ conditions }: IndexedCampaign, context: TargetingContext): boolean {
  for (let index = 1; index < conditions.length; index++) if (!isMet(conditions[index]!, context)) return false;
  return true;
}

const unmatchedMember = (conditions: readonly Condition[], context: TargetingContext): TargetMember | undefined =>
  conditions.find((condition) => !isMet(condition, context))?.[0];

const isMet = ([member, values]: Condition, context: TargetingContext): boolean => hasAny(values, context(member));

function hasAny(targeted: ReadonlySet<string>, values: readonly string[]): boolean {
  for (const value of values) if (targeted.has(value)) return true;
  return false;
}

/** One of the values must be among the request's values of the member. */
type Condition = [TargetMember, ReadonlySet<string>];

function conditionsOf(target: Target): Condition[] {
  return targetMembers.flatMap((member): Condition[] => {
    const values = normalisedValues(target, member);
    return values ? [[member, new Set(values)]] : [];
  });
}

/** The values of a member, normalised like those of a request. */
function normalisedValues(target: Target, member: TargetMember): string[] | undefined {
  if (member === 'formats') return target.formats?.flatMap(formatKeys);
  if (member === 'keywords') return target.keywords?.flatMap(readKeywords);
  return target[member];
}

const offerOf = ({ adomain, cat, cattax, attr, dealid }: Campaign, buyerSeat: string): Offer => ({
  adomain,
  cat,
  cattax,
  attr,
  dealid,
  buyerSeat,
});

function creativeOf(campaign: Campaign): NativeCreative {
  const { landing, title, image, icon, sponsor, description, price, cta, impressionTrackers, clickTrackers } = campaign;
  const data = new Map<number, string>();
  if (sponsor !== undefined) data.set(1, sponsor);
  if (description !== undefined) data.set(2, description);
  if (price !== undefined) data.set(6, price);
  if (cta !== undefined) data.set(12, cta);
  const images = { ...(image && { image }), ...(icon && { icon }) };
  return {
    landing,
    title,
    data,
    ...images,
    ...(impressionTrackers && { impressionTrackers }),
    ...(clickTrackers && { clickTrackers }),
  };
}
