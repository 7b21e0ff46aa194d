/** Describes what of a response cannot be read, for the report of test mode. */
import { describeType, describeValue } from '../../json/describe-value.ts';
import { isNonEmptyString, isObject, isPresent } from '../../json/guards.ts';
import { maxPrice } from '../../money/max-price.ts';
import { maxWebUrlLength } from '../../openrtb/web-url.ts';
import { isBoundedUrl, isPrice } from './read-products.ts';

/** Describes a response that `readProducts` does not read. */
export function describeWithoutProducts(response: unknown): string {
  if (!isObject(response)) return `Its response must be an object; got ${describeValue(response)}.`;
  const { products } = response;
  return isPresent(products)
    ? `Its products must be an array; got ${describeValue(products)}.`
    : 'It has no array products.';
}

/** Undefined if there is no product. */
export function describeUnreadable(products: readonly unknown[]): string | undefined {
  if (products.length === 0) return undefined;
  const index = products.findIndex((product) => problemOf(product) !== undefined);
  const example = index === -1 ? '' : `: products[${index}]${problemOf(products[index])}`;
  const count = `${products.length} ${products.length === 1 ? 'product' : 'products'}`;
  return `The response has ${count}, none can be read${example}.`;
}

/** The first rule that the product breaks; undefined if it can be read. */
function problemOf(product: unknown): string | undefined {
  if (!isObject(product)) return ` must be an object; got ${describeType(product)}`;
  const { id, title, url, cpm } = product;
  if (!isNonEmptyString(id)) return `.id must be a non-empty string; got ${describeValue(id)}`;
  if (!isNonEmptyString(title)) return `.title must be a non-empty string; got ${describeValue(title)}`;
  if (!isBoundedUrl(url))
    return `.url must be an http or https URL of at most ${maxWebUrlLength.toLocaleString('en-US')} characters; got ${describeValue(url)}`;
  if (isPrice(cpm)) return undefined;
  return typeof cpm === 'number'
    ? `.cpm must be above 0 and at most ${maxPrice.toLocaleString('en-US')}; got ${cpm}`
    : `.cpm must be a number; got ${describeValue(cpm)}`;
}
