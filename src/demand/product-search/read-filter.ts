/** The price filter of an impression: what of it can be used. A filter never makes a request invalid. */

export interface PriceFilter {
  min?: number;
  max?: number;
}

/** A bad value drops that value, a minimum above the maximum drops both; what was dropped is told by `dropped`. */
export interface FilterReading {
  filter: PriceFilter;
  dropped: string[];
}

export function readFilter(extension: unknown): FilterReading {
  const dropped: string[] = [];
  if (extension === undefined || extension === null) return { filter: {}, dropped };
  if (typeof extension !== 'object' || Array.isArray(extension)) return { filter: {}, dropped: ['filter'] };
  const { min_price, max_price, price_currency } = extension as Record<string, unknown>;
  const min = readPrice(min_price, 'min_price', dropped);
  const max = readPrice(max_price, 'max_price', dropped);
  if (price_currency !== undefined && price_currency !== null && !isCurrency(price_currency)) {
    dropped.push('price_currency');
  }
  if (min !== undefined && max !== undefined && min > max) {
    return { filter: {}, dropped: [...dropped, 'min_price above max_price'] };
  }
  return { filter: { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }, dropped };
}

function readPrice(value: unknown, name: string, dropped: string[]): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  dropped.push(name);
  return undefined;
}

/** ISO 4217, as this runtime knows it, and what it is known to lack. */
const currencies = new Set([...Intl.supportedValuesOf('currency'), 'VED', 'XCG']);

const isCurrency = (value: unknown): boolean => typeof value === 'string' && currencies.has(value.toUpperCase());
