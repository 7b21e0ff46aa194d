/** Durations, rates and addresses of the siege. */
import { wholeSeconds } from '../bench/settings.ts';

function positiveInteger(variable: string, defaultValue: number): number {
  const value = process.env[variable] || String(defaultValue);
  if (/^[1-9]\d*$/.test(value)) return Number(value);
  process.stderr.write(`${variable} must be a positive integer; got ${value}\n`);
  process.exit(2);
}

/** Whether each attack is to run alone. */
export const isEach = process.env.SIEGE === 'each';

export const rounds = 3;
/** Rounds that unrelated processes disturb are repeated, up to this many in total. */
export const maxRounds = 6;
/** Per checkout, with BASE: the machine may change its speed from one second to the next. */
export const compareRounds = positiveInteger('SIEGE_ROUNDS', 6);
/** The share of the machine that unrelated processes may take in the quiet phase of a round. */
export const maxOtherLoad = 0.1;
/** Before the first round: ordinary requests at this rate, then all attacks, until V8 has compiled the code that they run. */
export const warmUp = {
  perSecond: 1_000,
  seconds: 10,
  attackSeconds: wholeSeconds('SIEGE_WARM_UP_SECONDS', isEach ? 10 : 60),
};
export const quietSeconds = 10;
/** Per round, with all attacks at once. */
export const siegeSeconds = wholeSeconds('SIEGE_SECONDS', 15);
/** Per attack, with SIEGE=each. */
export const aloneSeconds = 5;
/** Between phases: the exchange notices that the attackers have closed their connections. */
export const pauseMs = 2_000;

/** LIMIT_IP of the exchange, and what every attacking address sends. */
export const ratePerAddress = positiveInteger('LIMIT_IP', 100);

/** `maxQps` of the hostile partner: what an operator would grant a partner that seldom wins. */
export const hostileQps = 20;

const ordinaryPerSecond = 100;

export const ordinary = {
  perSecond: ordinaryPerSecond,
  /** What callers are advised to use. */
  timeoutMs: 3_000,
};

/** The addresses of the ordinary client: each sends half of what its limit allows. */
export const ordinaryAddresses = (perSecond: number): string[] =>
  Array.from({ length: Math.ceil((2 * perSecond) / ratePerAddress) }, (_, index) => `127.0.0.${11 + index}`);

/** The addresses of the attack at this index of the list: a /24 of its own. */
export const attackAddresses = (attack: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `127.0.${attack + 1}.${index + 1}`);

/** The bound of the benchmark: p99 during the siege ÷ p99 in the quiet phase of the same round. */
export const maxLatencyRatio = 2;
/** The steady partner bids on every ordinary request; below this share of its bids, the attacks took it away from others. */
export const minBidShare = 0.99;
/** Attackers that send less than this share of their rate prove nothing. */
export const minAttackShare = 0.9;

/** The seat whose bid wins every ordinary request. */
export const steadySeat = 'steady';
