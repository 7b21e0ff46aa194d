/** Offers of thousands of event trackers, for a hostile partner that returns thousands: each was compared with each. */
import { type Attack, once, sendAtAllowedRate } from '../attack.ts';
import { bidRequest, impression, nativeRequest } from '../traffic/bid-request.ts';
import { post } from '../traffic/http-request.ts';

const assets = [{ id: 1, required: 1, title: { len: 90 } }];

const withTrackers = (eventtrackers: readonly unknown[]): Buffer =>
  post(JSON.stringify(bidRequest('event-trackers', { imp: [impression(nativeRequest(assets, { eventtrackers }))] })));

/** The offer that matches comes last. */
const offers = (count: number) => [
  ...Array.from({ length: count - 1 }, (_, index) => ({ event: 2 + index, methods: [1] })),
  { event: 1, methods: [1] },
];

const requests = once(() => [
  withTrackers(offers(5_000)),
  withTrackers(offers(20)),
  withTrackers(offers(500)),
  withTrackers([{ event: 1, methods: [...Array.from({ length: 10_000 }, (_, index) => index + 2), 1] }]),
  withTrackers(Array.from({ length: 20 }, () => ({ event: 1, methods: Array.from({ length: 100 }, () => 2) }))),
]);

export const eventTrackers: Attack = {
  name: 'event-trackers',
  title: 'up to 5,000 event trackers offered, 5,000 returned by the hostile partner',
  addresses: 1,
  hostility: 'trackers',
  start(context) {
    const prepared = requests();
    sendAtAllowedRate(context, (index) => prepared[index % prepared.length]!);
  },
};
