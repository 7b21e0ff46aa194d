/** The sections of the shop's catalogue: each combination of an item and a style is one product. */

export interface CatalogueSection {
  /** Searchable, but not shown in the product. */
  category: string;
  brands: string[];
  /** Name, minimum and maximum price in US dollars. */
  items: [name: string, minPrice: number, maxPrice: number][];
  styles: string[];
  purposes: string[];
}

export const catalogueSections: readonly CatalogueSection[] = [
  {
    category: 'running sports',
    brands: ['Fellgrip', 'Morrow Run', 'Stridewell'],
    items: [
      ['trail running shoes', 90, 190],
      ['road running shoes', 80, 180],
      ['running jacket', 60, 160],
      ['running socks', 9, 25],
      ['hydration vest', 50, 140],
      ['running watch', 120, 480],
    ],
    styles: ['lightweight', 'waterproof', 'reflective', 'all-season'],
    purposes: ['long weekends on the hill', 'early mornings', 'your first marathon'],
  },
  {
    category: 'hiking camping outdoor',
    brands: ['Torvane', 'Cairnwright', 'Mossback'],
    items: [
      ['hiking boots', 110, 260],
      ['two-person tent', 160, 520],
      ['sleeping bag', 80, 340],
      ['hiking backpack', 70, 240],
      ['camping stove', 35, 130],
      ['trekking poles', 40, 150],
    ],
    styles: ['ultralight', 'compact', 'expedition', 'beginner'],
    purposes: ['hut-to-hut tours', 'wet summers', 'nights above the tree line'],
  },
  {
    category: 'cycling bicycle commuting',
    brands: ['Oststrand', 'Kanaal Works', 'Spokesmith'],
    items: [
      ['city bike', 450, 1400],
      ['gravel bike', 900, 2900],
      ['bike helmet', 45, 190],
      ['pannier bag', 40, 150],
      ['bike lights', 20, 110],
      ['rain cape', 35, 120],
    ],
    styles: ['everyday', 'classic', 'lightweight', 'premium'],
    purposes: ['the ride to work', 'cobbled streets', 'the school run'],
  },
  {
    category: 'winter snow sports',
    brands: ['Frostlea', 'Isfell', 'Northring'],
    items: [
      ['winter boots', 90, 240],
      ['ski goggles', 50, 210],
      ['snow jacket', 130, 460],
      ['touring skis', 380, 890],
      ['wool base layer', 45, 130],
      ['insulated gloves', 30, 140],
    ],
    styles: ['lightweight', 'alpine', 'expedition', 'classic'],
    purposes: ['twenty below zero', 'powder mornings', 'walks on the ice'],
  },
  {
    category: 'garden plants',
    brands: ['Marrow Lane', 'Thistledown', 'Spade & Fern'],
    items: [
      ['raised bed', 50, 210],
      ['garden hose', 25, 110],
      ['hedge trimmer', 70, 280],
      ['seed starter kit', 12, 60],
      ['greenhouse', 180, 1200],
      ['pruning shears', 18, 80],
    ],
    styles: ['classic', 'heavy-duty', 'compact', 'premium'],
    purposes: ['short summers', 'beginners', 'gardens with slugs'],
  },
  {
    category: 'travel luggage',
    brands: ['Lumenline', 'Portmanteau Row', 'Gatewell'],
    items: [
      ['carry-on suitcase', 90, 420],
      ['travel backpack', 70, 280],
      ['packing cubes', 18, 60],
      ['travel pillow', 15, 70],
      ['toiletry bag', 15, 80],
      ['duffel bag', 50, 230],
    ],
    styles: ['lightweight', 'canvas', 'water-resistant', 'recycled'],
    purposes: ['night trains', 'three days away', 'crowded platforms'],
  },
  {
    category: 'kitchen cooking',
    brands: ['Bramblecote', 'Copperpot Lane', 'Ladle & Loom'],
    items: [
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
    items: [
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
    items: [
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
    items: [
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
    items: [
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
    items: [
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
