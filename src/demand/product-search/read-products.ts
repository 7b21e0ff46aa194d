/** The answer of a product service: the products in it that can be shown, dearest first. */
import { isNonEmptyString } from '../../json/guards.ts';
import type { NativeCreative } from '../../openrtb/build-native-response.ts';

export interface Product {
  id: string;
  cpm: number;
  advertiserDomain: string | undefined;
  material: NativeCreative;
}

const mostProducts = 500;

/** Undefined where the answer is none, the first 500 of more; a product that lacks what it needs is passed over. */
export function readProducts(answer: unknown): Product[] | undefined {
  if (typeof answer !== 'object' || answer === null || !('products' in answer)) return undefined;
  const { products } = answer;
  if (!Array.isArray(products)) return undefined;
  return (products as unknown[])
    .slice(0, mostProducts)
    .flatMap((product) => readProduct(product) ?? [])
    .sort((a, b) => b.cpm - a.cpm);
}

function readProduct(product: unknown): Product | undefined {
  if (typeof product !== 'object' || product === null) return undefined;
  const { id, title, url, cpm, ...rest } = product as Record<string, unknown>;
  if (!isNonEmptyString(id) || !isNonEmptyString(title) || !isWebAddress(url) || !isPrice(cpm)) return undefined;
  const { description, brand, price, currency, imageUrl, advertiserDomain } = rest;
  const data = new Map<number, string>();
  if (isNonEmptyString(brand)) data.set(1, brand);
  if (isNonEmptyString(description)) data.set(2, description);
  if (isPrice(price)) data.set(6, isNonEmptyString(currency) ? `${price.toFixed(2)} ${currency}` : price.toFixed(2));
  const image = isNonEmptyString(imageUrl) && { url: imageUrl, ...sides(rest) };
  return {
    id,
    cpm,
    advertiserDomain: isNonEmptyString(advertiserDomain) ? advertiserDomain : undefined,
    material: { landing: url, title, data, ...(image && { image }) },
  };
}

const sides = ({ imageWidth: w, imageHeight: h }: Record<string, unknown>) => ({
  ...(typeof w === 'number' && { w }),
  ...(typeof h === 'number' && { h }),
});

/** What could be paid: a product that asks for more would only stand in the way of the others. */
const isPrice = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= 100_000;

const isWebAddress = (value: unknown): value is string => isNonEmptyString(value) && /^https?:\/\//i.test(value);
