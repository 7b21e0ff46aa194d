/** A partner that returns its worst responses to every request that it gets, also to those of the ordinary client. */
import type { Attack } from '../attack.ts';

export const hostilePartner: Attack = {
  name: 'hostile-partner',
  isOptional: true,
  title: 'responses of a partner: up to 1 MiB, nested, thousands of bids, trackers and assets, gzip bombs',
  addresses: 0,
  hostility: 'everything',
  start: () => {},
};
