/** Partners by the way they respond. Two that are fast and reliable take part in every scenario; the third one is under study. */
import type { Random } from '../../lib/random.ts';

/** Response time in milliseconds, Infinity if there is none; `progress` is 0 at the first auction and 1 at the last. */
export type Responds = (random: Random, progress: number) => number;

export interface SimulatedPartner {
  name: string;
  responds: Responds;
  /** How often it bids, and the highest price; prices are evenly distributed from 0.50. */
  bidRate: number;
  maxPrice: number;
}

export interface Scenario {
  name: string;
  description: string;
  responds: Responds;
}

const between =
  (minMs: number, maxMs: number): Responds =>
  (random) =>
    minMs + random.next() * (maxMs - minMs);
const never: Responds = () => Infinity;
const [fast, slow, tooSlow] = [between(10, 20), between(80, 120), between(200, 400)];

export const reliablePartners: readonly SimulatedPartner[] = [
  { name: 'reliable', responds: between(10, 30), bidRate: 0.97, maxPrice: 2 },
  { name: 'second', responds: between(20, 45), bidRate: 0.7, maxPrice: 2.5 },
];

export const scenarios: readonly Scenario[] = [
  { name: 'fast', description: '10 to 20 ms', responds: fast },
  { name: 'slow', description: '80 to 120 ms', responds: slow },
  { name: 'too slow', description: '200 to 400 ms', responds: tooSlow },
  {
    name: 'bimodal',
    description: '80%: 10 to 20 ms, 20%: 200 to 400 ms',
    responds: (random, progress) => (random.chance(0.8) ? fast : tooSlow)(random, progress),
  },
  {
    name: 'long tail',
    description: 'exponential, mean 30 ms',
    responds: (random) => -30 * Math.log(1 - random.next()),
  },
  {
    name: 'degrading',
    description: 'a third each: 10 to 20, 80 to 120, 200 to 400 ms',
    responds: (random, progress) => [fast, slow, tooSlow][Math.min(2, Math.floor(progress * 3))]!(random, progress),
  },
  {
    name: 'recovering',
    description: 'first half: 200 to 400 ms, then 10 to 20 ms',
    responds: (random, progress) => (progress < 0.5 ? tooSlow : fast)(random, progress),
  },
  {
    name: 'restarted',
    description: 'hangs in the second third, else 10 to 20 ms',
    responds: (random, progress) => (progress > 1 / 3 && progress < 2 / 3 ? never : fast)(random, progress),
  },
  { name: 'hung', description: 'accepts calls and never responds', responds: never },
];

export const studied = ({ responds }: Scenario): SimulatedPartner => ({
  name: 'studied',
  responds,
  bidRate: 0.6,
  maxPrice: 4,
});
