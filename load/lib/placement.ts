/** One impression of a request, with the bids that the sandbox demand can make for it. */
import { type NativeRequest, pickNativeRequest } from './native-request.ts';
import type { Random } from './random.ts';

export interface Placement {
  imp: { id: string; native: object; [member: string]: unknown };
  native: NativeRequest;
  floor: number;
  /** Whether a bid reaches the floor: a house campaign without targeting bids on everything; no partner bids 25 USD. */
  demand: 'certain' | 'possible' | 'none';
}

const guaranteedBid = 0.55;
const unreachableBid = 25;
const agents = ['https://creative.example/', 'https://formats.example/agent'];
const formats = ['native_card', 'native_feed', 'native_line'];

/** Levels 2 and 4 declare ad formats; level 4 filters products by price. */
export function randomPlacement(
  random: Random,
  id: string,
  declaresFormats: boolean,
  filtersPrices: boolean,
): Placement {
  const native = pickNativeRequest(random);
  const { floor, currency, demand } = randomFloor(random);
  const ext = {
    ...(declaresFormats && { service: { adcpFormats: randomFormats(random) } }),
    ...(filtersPrices && { service_product_search: randomPriceFilter(random) }),
  };
  const imp = {
    id,
    native: { request: native.text, ver: '1.2', ...(random.chance(0.2) && { api: [7] }) },
    ...(floor > 0 && { bidfloor: floor }),
    ...(currency !== undefined && { bidfloorcur: currency }),
    secure: 1,
    ...(declaresFormats && { ext }),
  };
  return { imp, native, floor, demand };
}

function randomFloor(random: Random): { floor: number; currency?: string; demand: Placement['demand'] } {
  const share = random.next();
  if (share < 0.15) return { floor: 0, demand: 'certain' };
  if (share < 0.65) return { floor: cents(random, 0.01, guaranteedBid), demand: 'certain' };
  if (share < 0.9) return { floor: cents(random, 0.6, 4), currency: 'USD', demand: 'possible' };
  if (share < 0.98) return { floor: cents(random, unreachableBid, 1_000), currency: 'USD', demand: 'none' };
  return { floor: cents(random, 0.1, 1), currency: 'EUR', demand: 'none' };
}

const cents = (random: Random, min: number, max: number): number =>
  random.integer(Math.round(min * 100), Math.round(max * 100)) / 100;

const randomFormats = (random: Random): object[] =>
  Array.from({ length: random.integer(1, 3) }, () => ({ agent_url: random.pick(agents), id: random.pick(formats) }));

/** Some filters are invalid; the exchange must ignore those instead of rejecting the request. */
function randomPriceFilter(random: Random): object {
  if (random.chance(0.05)) return { min_price: 300, max_price: 20, price_currency: 'QQQ' };
  const min = random.integer(0, 120);
  return { min_price: min, max_price: min + random.integer(50, 900), price_currency: random.pick(['USD', 'EUR']) };
}
