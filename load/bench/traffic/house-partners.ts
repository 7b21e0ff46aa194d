/** Three house partners: demand in memory, without HTTP calls. */
import type { Campaign, Target } from '../../../src/demand/house/campaign.ts';

const campaign = (id: string, cpm: number, target: Target): Campaign => ({
  id,
  cpm,
  landing: `https://${id}.example/offer`,
  title: `What ${id} has for a day in the rain`,
  adomain: [`${id}.example`],
  description: 'Light, dry and made to be repaired rather than replaced.',
  image: { url: `https://${id}.example/card-1200x627.jpg`, w: 1200, h: 627 },
  cta: 'See the range',
  sponsor: `${id} outfitters`,
  price: '$129.00',
  target,
});

/** Two campaigns of each partner match the requests of the benchmarks. */
export const housePartners = {
  partners: ['alder', 'birch', 'cedar'].map((name, index) => ({
    name,
    adapter: 'house',
    campaigns: [
      campaign(`${name}-trail`, 2.1 + index / 10, { keywords: ['trail running'], countries: ['USA'] }),
      campaign(`${name}-rain`, 1.4 + index / 10, { intents: ['purchase_inquiry'], funnelStages: ['consideration'] }),
      campaign(`${name}-ski`, 3.2 + index / 10, { keywords: ['ski touring'] }),
      campaign(`${name}-city`, 2.8 + index / 10, { countries: ['NLD'], sentiments: ['positive'] }),
    ],
  })),
};
