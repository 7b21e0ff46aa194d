/** The partner gamma: a European desk that bids in euros, on impressions with a floor in euros. */
import type { Bidder } from './prepare-bid-response.ts';

export const gamma: Bidder = {
  name: 'gamma',
  currency: 'EUR',
  hasNativeRoot: false,
  creatives: [
    {
      name: 'night-train',
      sponsor: 'Nachtlinie',
      domain: 'nachtlinie.example',
      title: 'Fall asleep in Vienna, wake up in Rome',
      description: 'Sleeper cabins on nine routes, breakfast included.',
      cta: 'Choose a berth',
      price: 'EUR 79.00',
      cat: ['IAB20'],
    },
    {
      name: 'city-bike',
      sponsor: 'Grachtfiets',
      domain: 'grachtfiets.example',
      title: 'The bike that survives the canal',
      description: 'Steel frame, closed chain case, serviced at your door.',
      cta: 'Book a test ride',
      price: 'EUR 649.00',
      icon: false,
      cat: ['IAB17'],
    },
  ],
};
