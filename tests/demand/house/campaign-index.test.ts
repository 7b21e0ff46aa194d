/** The index of house campaigns: the order of the matches, and the work to find them. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Campaign } from '../../../src/demand/house/campaign.ts';
import { CampaignIndex } from '../../../src/demand/house/campaign-index.ts';
import { type TargetingContext, targetingContext } from '../../../src/demand/house/targeting-context.ts';
import { numRuns } from '../../support/num-runs.ts';

const campaignOf = (id: number, cpm: number, keywords?: string[]): Campaign => ({
  id: String(id),
  cpm,
  landing: 'https://shoes.example/',
  title: 'Trail shoes',
  ...(keywords && { target: { keywords } }),
});

const withKeywords =
  (...keywords: string[]): TargetingContext =>
  (member) =>
    member === 'keywords' ? keywords : [];

/** As the adapter does for an impression. */
const matching = (index: CampaignIndex, context: TargetingContext) =>
  index.matchingImpression(context, index.matchingRequest(context));

test('matches are in the order of their price, then of the partners file, each once', () => {
  const letters = ['a', 'b', 'c'];
  const anyCampaign = fc.tuple(
    fc.integer({ min: 1, max: 4 }),
    fc.option(fc.uniqueArray(fc.constantFrom(...letters), { minLength: 1 }), { nil: undefined }),
  );
  fc.assert(
    fc.property(fc.array(anyCampaign, { maxLength: 12 }), fc.subarray(letters), (parts, keywords) => {
      const campaigns = parts.map(([cpm, targeted], id) => campaignOf(id, cpm, targeted));
      const expected = campaigns
        .filter(({ target }) => !target || target.keywords!.some((keyword) => keywords.includes(keyword)))
        .toSorted((a, b) => b.cpm - a.cpm);
      const found = matching(new CampaignIndex(campaigns, 'house'), withKeywords(...keywords));
      expect(found.map(({ owner }) => owner)).toEqual(expected);
    }),
    { numRuns: numRuns(1_000) },
  );
});

test('the work grows with the number of matches, not with its square', () => {
  const count = 1_000;
  const cheapFirst = Array.from({ length: count }, (_, id) => campaignOf(id, id + 1, [id % 2 === 0 ? 'a' : 'b']));
  const untargeted = Array.from({ length: count }, (_, id) => campaignOf(count + id, id + 1));
  const index = new CampaignIndex([...cheapFirst, ...untargeted], 'house');
  const context = withKeywords('a', 'b');
  let comparisons = 0;
  for (const campaign of matching(index, context)) {
    const { rank } = campaign;
    Object.defineProperty(campaign, 'rank', {
      get: () => {
        comparisons++;
        return rank;
      },
    });
  }
  expect(matching(index, context)).toHaveLength(2 * count);
  expect(comparisons).toBeLessThanOrEqual(2 * count * Math.log2(count) * 2);
});

test('a campaign is compared once per request, however many of its values match', () => {
  const keywords = Array.from({ length: 10 }, (_, index) => `k${index}`);
  const campaigns = Array.from({ length: 100 }, (_, id): Campaign => {
    const campaign = campaignOf(id, 1, keywords);
    return { ...campaign, target: { ...campaign.target, countries: ['DEU'] } };
  });
  let comparisons = 0;
  const context: TargetingContext = (member) => {
    if (member === 'countries') comparisons++;
    return member === 'keywords' ? keywords : [];
  };
  expect(matching(new CampaignIndex(campaigns, 'house'), context)).toEqual([]);
  expect(comparisons).toBe(campaigns.length);
});

test('a member of a request is read once, however many campaigns are compared with it', () => {
  let reads = 0;
  const site = {
    get cat() {
      reads++;
      return ['IAB1', 'IAB2', 'IAB1'];
    },
  };
  const context = targetingContext({ id: 'r', imp: [], site });
  for (let campaign = 0; campaign < 100; campaign++) expect(context('categories')).toEqual(['IAB1', 'IAB2']);
  expect(reads).toBe(1);
});
