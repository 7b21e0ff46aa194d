/** Reads the response of a product service: the products that can be shown, highest `cpm` first. */
import { isNonEmptyString, isObject, type JsonObject } from '../../json/guards.ts';
import type { NativeCreative } from '../../openrtb/build-native-response.ts';

export interface Product {
  id: string;
  cpm: number;
  advertiserDomain: string | undefined;
  creative: NativeCreative;
}

const maxProducts = 500;

/** Undefined if there is no list of products. A product without a required member is skipped, and so are those after the 500th. */
export function readProducts(response: unknown): Product[] | undefined {
  if (!isObject(response) || !Array.isArray(response.products)) return undefined;
  return (response.products as unknown[])
    .slice(0, maxProducts)
    .flatMap((product) => readProduct(product) ?? [])
    .sort((a, b) => b.cpm - a.cpm);
}

function readProduct(product: unknown): Product | undefined {
  if (!isObject(product)) return undefined;
  const { id, title, url, cpm, ...rest } = product;
  if (!isNonEmptyString(id) || !isNonEmptyString(title) || !isWebUrl(url) || !isPrice(cpm)) return undefined;
  const { description, brand, price, currency, imageUrl, advertiserDomain } = rest;
  const data = new Map<number, string>();
  if (isNonEmptyString(brand)) data.set(1, brand);
  if (isNonEmptyString(description)) data.set(2, description);
  if (isPrice(price)) data.set(6, isNonEmptyString(currency) ? `${price.toFixed(2)} ${currency}` : price.toFixed(2));
  const image = isNonEmptyString(imageUrl) && { url: imageUrl, ...sizeOf(rest) };
  return {
    id,
    cpm,
    advertiserDomain: isNonEmptyString(advertiserDomain) ? advertiserDomain : undefined,
    creative: { landing: url, title, data, ...(image && { image }) },
  };
}

const sizeOf = ({ imageWidth: w, imageHeight: h }: JsonObject) => ({
  ...(typeof w === 'number' && { w }),
  ...(typeof h === 'number' && { h }),
});

/** A price that the auction accepts: a product above it would only block the others. */
const isPrice = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= 100_000;

const isWebUrl = (value: unknown): value is string => isNonEmptyString(value) && /^https?:\/\//i.test(value);
