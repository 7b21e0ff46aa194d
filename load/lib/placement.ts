/** One impression of a request, with what is known beforehand about the bids that it can get. */
import type { Draw } from './draw.ts';
import { drawNative, type Native } from './native-request.ts';

export interface Placement {
  imp: { id: string; native: object; [member: string]: unknown };
  native: Native;
  floor: number;
  /** Whether somebody bids: the sandbox has a campaign for everybody, and nobody who offers 25 dollars. */
  demand: 'certain' | 'possible' | 'none';
}

const alwaysOffered = 0.55;
const neverOffered = 25;
const agents = ['https://creative.example/', 'https://formats.example/agent'];
const formats = ['native_card', 'native_feed', 'native_line'];

/** `declares` ad formats from level 2 on, and `filters` products by price at level 4. */
export function drawPlacement(draw: Draw, id: string, declares: boolean, filters: boolean): Placement {
  const native = drawNative(draw);
  const { floor, currency, demand } = drawFloor(draw);
  const ext = {
    ...(declares && { service: { adcpFormats: drawFormats(draw) } }),
    ...(filters && { service_product_search: drawPriceFilter(draw) }),
  };
  const imp = {
    id,
    native: { request: native.text, ver: '1.2', ...(draw.happens(0.2) && { api: [7] }) },
    ...(floor > 0 && { bidfloor: floor }),
    ...(currency !== undefined && { bidfloorcur: currency }),
    secure: 1,
    ...(declares && { ext }),
  };
  return { imp, native, floor, demand };
}

function drawFloor(draw: Draw): { floor: number; currency?: string; demand: Placement['demand'] } {
  const chance = draw.share();
  if (chance < 0.15) return { floor: 0, demand: 'certain' };
  if (chance < 0.65) return { floor: cents(draw, 0.01, alwaysOffered), demand: 'certain' };
  if (chance < 0.9) return { floor: cents(draw, 0.6, 4), currency: 'USD', demand: 'possible' };
  if (chance < 0.98) return { floor: cents(draw, neverOffered, 1_000), currency: 'USD', demand: 'none' };
  return { floor: cents(draw, 0.1, 1), currency: 'EUR', demand: 'none' };
}

const cents = (draw: Draw, least: number, most: number): number =>
  draw.integer(Math.round(least * 100), Math.round(most * 100)) / 100;

const drawFormats = (draw: Draw): object[] =>
  Array.from({ length: draw.integer(1, 3) }, () => ({ agent_url: draw.from(agents), id: draw.from(formats) }));

/** A few are nonsense, which is no reason to refuse a request. */
function drawPriceFilter(draw: Draw): object {
  if (draw.happens(0.05)) return { min_price: 300, max_price: 20, price_currency: 'QQQ' };
  const min = draw.integer(0, 120);
  return { min_price: min, max_price: min + draw.integer(50, 900), price_currency: draw.from(['USD', 'EUR']) };
}
