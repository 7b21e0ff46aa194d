/** Campaigns filed by what they target, when the file is read, so that a request meets only those that may match it. */
import { formatKey } from '../../openrtb/adcp-format.ts';
import { readKeywords } from '../../openrtb/keywords.ts';
import type { NativeCreative } from '../../openrtb/build-native-response.ts';
import type { Campaign, Target } from './campaign.ts';
import { type TargetingContext, type TargetMember, targetMembers } from './targeting-context.ts';

export interface IndexedCampaign {
  owner: Campaign;
  priceMicros: number;
  material: NativeCreative;
  /** Its place among all, dearest first. */
  rank: number;
  /** What must match besides the member that it is filed under. */
  rest: Wanted[];
}

export class CampaignIndex {
  readonly #everywhere: IndexedCampaign[] = [];
  /** By the first member that a campaign targets, and its values. */
  readonly #filed: { member: TargetMember; byValue: Map<string, IndexedCampaign[]> }[] = [];

  constructor(campaigns: readonly Campaign[]) {
    const dearestFirst = campaigns.toSorted((a, b) => b.cpm - a.cpm);
    for (const [rank, owner] of dearestFirst.entries()) this.#file(owner, rank);
  }

  /** The campaigns that match, dearest first; of equal price the one that stands first in the file. */
  matching(here: TargetingContext): readonly IndexedCampaign[] {
    let found: IndexedCampaign[] | undefined;
    for (const { member, byValue } of this.#filed) {
      for (const value of here(member)) {
        for (const campaign of byValue.get(value) ?? none) {
          if (matches(campaign.rest, here)) insert(campaign, (found ??= [...this.#everywhere]));
        }
      }
    }
    return found ?? this.#everywhere;
  }

  #file(owner: Campaign, rank: number): void {
    const [first, ...rest] = wantedValues(owner.target ?? {});
    const campaign: IndexedCampaign = {
      owner,
      priceMicros: Math.round(owner.cpm * 1_000_000),
      material: materialOf(owner),
      rank,
      rest,
    };
    if (!first) {
      this.#everywhere.push(campaign);
      return;
    }
    const [member, values] = first;
    let files = this.#filed.find((one) => one.member === member);
    if (!files) this.#filed.push((files = { member, byValue: new Map() }));
    const { byValue } = files;
    for (const value of values) byValue.set(value, [...(byValue.get(value) ?? []), campaign]);
  }
}

const none: readonly IndexedCampaign[] = [];

/** By rank, and once only: a campaign may be filed under several values that match. Few are, so this beats sorting. */
function insert(campaign: IndexedCampaign, inOrder: IndexedCampaign[]): void {
  let at = inOrder.length;
  while (at > 0 && inOrder[at - 1]!.rank > campaign.rank) at--;
  if (inOrder[at - 1] === campaign) return;
  for (let behind = inOrder.length; behind > at; behind--) inOrder[behind] = inOrder[behind - 1]!;
  inOrder[at] = campaign;
}

function matches(wanted: readonly Wanted[], here: TargetingContext): boolean {
  for (const [member, values] of wanted) if (!hasAny(values, here(member))) return false;
  return true;
}

function hasAny(wanted: ReadonlySet<string>, values: readonly string[]): boolean {
  for (const value of values) if (wanted.has(value)) return true;
  return false;
}

type Wanted = [TargetMember, ReadonlySet<string>];

function wantedValues(target: Target): Wanted[] {
  return targetMembers.flatMap((member): Wanted[] => {
    const values = comparable(target, member);
    return values ? [[member, new Set(values)]] : [];
  });
}

/** The values of a member as they are found in a request's surroundings. */
function comparable(target: Target, member: TargetMember): string[] | undefined {
  if (member === 'formats') return target.formats?.map(formatKey);
  if (member === 'keywords') return target.keywords?.flatMap(readKeywords);
  return target[member];
}

function materialOf({ landing, title, image, sponsor, description, price, cta }: Campaign): NativeCreative {
  const data = new Map<number, string>();
  if (sponsor !== undefined) data.set(1, sponsor);
  if (description !== undefined) data.set(2, description);
  if (price !== undefined) data.set(6, price);
  if (cta !== undefined) data.set(12, cta);
  return { landing, title, data, ...(image && { image }) };
}
