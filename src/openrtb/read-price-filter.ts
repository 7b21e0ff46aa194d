/** The price filter of an impression, `ext.service_product_search`. Invalid values are ignored, never an error. */
import { isObject } from '../json/guards.ts';

export interface PriceFilter {
  min?: number;
  max?: number;
}

/** Each invalid value is ignored; if the minimum exceeds the maximum, both are. `ignored` lists their names for the log. */
export interface PriceFilterReading {
  filter: PriceFilter;
  ignored: string[];
}

export function readPriceFilter(extension: unknown): PriceFilterReading {
  const ignored: string[] = [];
  if (extension === undefined || extension === null) return { filter: {}, ignored };
  if (!isObject(extension)) return { filter: {}, ignored: ['service_product_search'] };
  const { min_price, max_price, price_currency } = extension;
  const min = readPrice(min_price, 'min_price', ignored);
  const max = readPrice(max_price, 'max_price', ignored);
  if (price_currency !== undefined && price_currency !== null && !isCurrency(price_currency)) {
    ignored.push('price_currency');
  }
  if (min !== undefined && max !== undefined && min > max) {
    return { filter: {}, ignored: [...ignored, 'min_price above max_price'] };
  }
  return { filter: { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }, ignored };
}

/** `toFixed` writes larger numbers with an exponent. */
const exponentFrom = 1e21;

function readPrice(value: unknown, name: string, ignored: string[]): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && value >= 0 && value < exponentFrom) return value;
  ignored.push(name);
  return undefined;
}

/** The ISO 4217 codes of this runtime, plus those it lacks. */
const currencies = new Set([...Intl.supportedValuesOf('currency'), 'VED', 'XCG']);

const isCurrency = (value: unknown): boolean => typeof value === 'string' && currencies.has(value.toUpperCase());
