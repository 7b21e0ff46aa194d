/** The shelves for going out: every style of every good on a shelf is a product. */
import type { Shelf } from './shelf.ts';

export const outdoorShelves: readonly Shelf[] = [
  {
    category: 'running sports',
    brands: ['Fellgrip', 'Morrow Run', 'Stridewell'],
    goods: [
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
    goods: [
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
    goods: [
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
    goods: [
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
    goods: [
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
    goods: [
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
];
