/** The shelves for staying in: every style of every good on a shelf is a product. */
import type { Shelf } from './shelf.ts';

export const indoorShelves: readonly Shelf[] = [
  {
    category: 'kitchen cooking',
    brands: ['Bramblecote', 'Copperpot Lane', 'Ladle & Loom'],
    goods: [
      ['cast iron pan', 40, 160],
      ['chef knife', 35, 220],
      ['espresso machine', 180, 950],
      ['stand mixer', 190, 620],
      ['coffee grinder', 40, 260],
      ['bread oven', 70, 240],
    ],
    styles: ['compact', 'professional', 'classic', 'heavy-duty'],
    purposes: ['small kitchens', 'Sunday baking', 'people who cook every day'],
  },
  {
    category: 'home office furniture',
    brands: ['Uprise', 'Plankhaus', 'Deskmere'],
    goods: [
      ['standing desk', 290, 900],
      ['office chair', 160, 1100],
      ['desk lamp', 35, 190],
      ['monitor arm', 50, 210],
      ['bookshelf', 90, 420],
      ['laptop stand', 25, 110],
    ],
    styles: ['adjustable', 'minimal', 'space-saving', 'steel'],
    purposes: ['long calls', 'corners that nobody uses', 'straight backs'],
  },
  {
    category: 'audio music electronics',
    brands: ['Pellwick', 'Hushworks', 'Tonfeld'],
    goods: [
      ['wireless headphones', 70, 380],
      ['bookshelf speakers', 150, 780],
      ['record player', 130, 690],
      ['portable speaker', 40, 220],
      ['podcast microphone', 80, 430],
      ['digital piano', 420, 1600],
    ],
    styles: ['studio', 'compact', 'premium', 'entry-level'],
    purposes: ['open offices', 'late evenings', 'careful listeners'],
  },
  {
    category: 'photography camera electronics',
    brands: ['Kestrelworks', 'Iriswell', 'Fotohaven'],
    goods: [
      ['mirrorless camera', 520, 2400],
      ['travel tripod', 60, 320],
      ['camera bag', 45, 230],
      ['portrait lens', 240, 1300],
      ['photo printer', 110, 540],
      ['instant camera', 60, 180],
    ],
    styles: ['compact', 'lightweight', 'beginner', 'premium'],
    purposes: ['street and studio', 'rainy holidays', 'family albums'],
  },
  {
    category: 'toys children games',
    brands: ['Tumbletown', 'Little Otter', 'Pebble & Pine'],
    goods: [
      ['building blocks', 20, 130],
      ['balance bike', 60, 220],
      ['board game', 18, 75],
      ['wooden train', 22, 140],
      ['science kit', 20, 90],
      ['soft bear', 14, 60],
    ],
    styles: ['award-winning', 'handmade', 'colourful', 'classic'],
    purposes: ['rainy afternoons', 'three years and up', 'grandparents who join in'],
  },
  {
    category: 'pets dog cat',
    brands: ['Goodboy', 'Whiskerly', 'Burrow & Bone'],
    goods: [
      ['dog bed', 35, 180],
      ['cat tree', 50, 260],
      ['dog harness', 20, 90],
      ['pet camera', 45, 190],
      ['cat fountain', 25, 95],
      ['dog coat', 25, 110],
    ],
    styles: ['large', 'small', 'easy-clean', 'classic'],
    purposes: ['muddy paws', 'nervous animals', 'flats without a garden'],
  },
];
