/** The partner delta: bids only in its deals and on its keywords, above the other bidders. Each creative shows one rule. */
import type { Creative } from './native-response.ts';
import type { Bidder } from './prepare-bid-response.ts';

/** Above the highest bid of alpha and beta: delta wins unless a rule prevents it. */
const cpm = 4.5;

const yachts: Creative = {
  name: 'yacht-charter',
  sponsor: 'Fairlead',
  domain: 'fairlead.example',
  title: 'Seven islands in seven days',
  description: 'A yacht, a skipper and nothing to plan.',
  cta: 'See the route',
  cat: ['IAB20'],
  cpm,
};

export const delta: Bidder = {
  name: 'delta',
  currency: 'USD',
  hasNativeRoot: false,
  creatives: [
    { ...yachts, onlyDeal: 'fairlead-summer' },
    // A deal that no impression needs to offer: `unknown_deal`.
    { ...yachts, onlyKeyword: 'yachts', bid: { dealid: 'fairlead-spring' } },
    // Below the floor, text too long, images too small: `below_floor`, a cut text, `invalid_native` if the image is required.
    {
      name: 'life-cover',
      sponsor: 'Long & Wordy Assurance',
      domain: 'longwordy.example',
      title: 'Insurance for everything that could conceivably happen to anybody, anywhere, at any time of the day',
      description: 'Our terms and conditions have their own terms and conditions.',
      cta: 'Read on',
      cat: ['IAB13'],
      cpm,
      onlyKeyword: 'insurance',
      ignoresLimits: true,
    },
    // A click URL that runs a script: `unsafe_markup`.
    {
      name: 'prize-draw',
      sponsor: 'Luckybird',
      domain: 'luckybird.example',
      title: 'You may already have won',
      description: 'Nobody has so far.',
      cta: 'Try again',
      cat: ['IAB9'],
      cpm,
      onlyKeyword: 'sweepstakes',
      clickUrl: 'javascript:claim()',
    },
    // Images over http: `insecure_markup` if the image is required and the impression is secure.
    {
      name: 'clock-fair',
      sponsor: 'Dustlight',
      domain: 'dustlight.example',
      title: 'Four hundred clocks, all of them wrong',
      description: 'The antiques fair at the old station, every first Sunday.',
      cta: 'Find a stall',
      cat: ['IAB9'],
      cpm,
      onlyKeyword: 'antiques',
      imageScheme: 'http',
    },
    // No adomain: `unknown_advertiser` if the request has badv.
    {
      name: 'saver-club',
      sponsor: 'Pennywise',
      domain: 'pennywise.example',
      title: 'Coupons for what you buy anyway',
      description: 'Sorted by the shops on your street.',
      cta: 'Clip one',
      cat: ['IAB22'],
      cpm,
      onlyKeyword: 'coupons',
      bid: { adomain: undefined },
    },
    // Attribute 1 is an audio ad that plays by itself: `blocked_attribute` if battr lists it.
    {
      name: 'film-night',
      sponsor: 'Reel House',
      domain: 'reelhouse.example',
      title: 'The loudest trailer of the year',
      description: 'In one room with two hundred strangers.',
      cta: 'Book seats',
      cat: ['IAB1'],
      cpm,
      onlyKeyword: 'cinema',
      bid: { attr: [1] },
    },
    // An app of its own: `blocked_app` if bapp lists it.
    {
      name: 'block-garden',
      sponsor: 'Playfield',
      domain: 'playfield.example',
      title: 'A puzzle that grows while you sleep',
      description: 'No timers, no lives, no advertisements.',
      cta: 'Install',
      cat: ['IAB9'],
      cpm,
      onlyKeyword: 'puzzles',
      bid: { bundle: 'example.playfield.blockgarden' },
    },
    // The only bid with DSA transparency information.
    {
      name: 'town-hall',
      sponsor: 'Civic Ledger',
      domain: 'civicledger.example',
      title: 'What your council decided last night',
      description: 'One page, every morning after.',
      cta: 'Subscribe',
      cat: ['IAB11'],
      cpm,
      onlyKeyword: 'politics',
      bid: { ext: { dsa: { behalf: 'Civic Ledger', paid: 'Civic Ledger', adrender: 1 } } },
    },
    // Slower than every deadline of the auction: `late`, or `timeout` if there is no other bid.
    {
      name: 'made-to-measure',
      sponsor: 'Threadneedle Row',
      domain: 'threadneedle.example',
      title: 'A suit that takes its time',
      description: 'Three fittings, forty hours of handwork.',
      cta: 'Meet a tailor',
      cat: ['IAB18'],
      cpm,
      onlyKeyword: 'tailoring',
      delayMs: 4000,
    },
  ],
};
