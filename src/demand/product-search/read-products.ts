/** Reads the response of a product service: the products that can be shown, highest `cpm` first. */
import { isNonEmptyString, isObject, type JsonObject } from '../../json/guards.ts';
import { perObject } from '../../memory/per-object.ts';
import { maxPrice } from '../../money/max-price.ts';
import { maxDomainLength } from '../../openrtb/domain-set.ts';
import { cutText } from '../../openrtb/native-bounds.ts';
import type { NativeCreative } from '../../openrtb/native-creative.ts';
import { isWebUrl, maxWebUrlLength } from '../../openrtb/web-url.ts';

export interface Product {
  id: string;
  cpm: number;
  /** Its advertiser's domain, if it has one. */
  adomain: [string] | undefined;
  creative: NativeCreative;
}

/** Maximum number of products that are read in detail. */
const maxProducts = 500;

/** Undefined if there is no list of products. A product without a required member is skipped; of more than 500, those with the highest `cpm` are read. */
export function readProducts(response: unknown): readonly Product[] | undefined {
  if (!isObject(response) || !Array.isArray(response.products)) return undefined;
  return readList(response.products);
}

/** Cached responses are read once. */
const readList = perObject((list: readonly unknown[]): readonly Product[] =>
  highestProducts(list)
    .flatMap((product) => readProduct(product) ?? [])
    .sort((a, b) => b.cpm - a.cpm),
);

/** In their order. A service may return thousands: they are compared by `cpm` alone. */
function highestProducts(list: readonly unknown[]): readonly unknown[] {
  if (list.length <= maxProducts) return list;
  const priced = list.filter((product) => isObject(product) && isPrice(product.cpm)) as { cpm: number }[];
  if (priced.length <= maxProducts) return priced;
  const ascending = Float64Array.from(priced, ({ cpm }) => cpm).sort();
  const lowest = ascending[ascending.length - maxProducts]!;
  const above = ascending.length - 1 - ascending.lastIndexOf(lowest);
  let atLowest = maxProducts - above;
  return priced.filter(({ cpm }) => cpm > lowest || (cpm === lowest && atLowest-- > 0));
}

function readProduct(product: unknown): Product | undefined {
  if (!isObject(product)) return undefined;
  const { id, title, url, cpm, imageUrl, advertiserDomain } = product;
  if (!isNonEmptyString(id) || !isNonEmptyString(title) || !isBoundedUrl(url) || !isPrice(cpm)) return undefined;
  const image = isBoundedUrl(imageUrl) && { url: imageUrl, ...sizeOf(product) };
  return {
    id,
    cpm,
    adomain:
      isNonEmptyString(advertiserDomain) && advertiserDomain.length <= maxDomainLength ? [advertiserDomain] : undefined,
    creative: { landing: url, title: cutText(title), data: readData(product), ...(image && { image }) },
  };
}

function readData({ description, brand, price, currency }: JsonObject): Map<number, string> {
  const data = new Map<number, string>();
  if (isNonEmptyString(brand)) data.set(1, cutText(brand));
  if (isNonEmptyString(description)) data.set(2, cutText(description));
  if (isAmount(price)) {
    const amount = price.toFixed(2);
    data.set(6, isNonEmptyString(currency) ? cutText(`${amount} ${currency}`) : amount);
  }
  return data;
}

const sizeOf = ({ imageWidth: w, imageHeight: h }: JsonObject) => ({
  ...(isSide(w) && { w }),
  ...(isSide(h) && { h }),
});

const isSide = (value: unknown): value is number => Number.isFinite(value);

/** A price that the auction accepts: a product above it would only block the others. */
export const isPrice = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= maxPrice;

/** What a product costs in its shop, in any currency. */
const isAmount = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < 1e15;

export const isBoundedUrl = (value: unknown): value is string => isWebUrl(value) && value.length <= maxWebUrlLength;
