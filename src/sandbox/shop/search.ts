/** The product search: matches any term of the query within a price range, highest cpm first. */
import { BadRequest, type ResponseOptions } from '../respond.ts';
import { buildCatalogue, type CatalogueEntry } from './catalogue.ts';

interface PriceRange {
  min: number | undefined;
  max: number | undefined;
}

const maxResults = 20;

const search = createSearch(buildCatalogue());

/** Throws BadRequest. */
export function prepareSearchResponse(queryString: string): ResponseOptions {
  const parameters = new URLSearchParams(queryString);
  const query = parameters.get('query') ?? '';
  if (query.replaceAll(',', '').trim() === '') throw new BadRequest('query must contain at least one term');
  const range: PriceRange = {
    min: readPrice(parameters, 'minOfferPrice'),
    max: readPrice(parameters, 'maxOfferPrice'),
  };
  if (range.min !== undefined && range.max !== undefined && range.min > range.max) {
    throw new BadRequest('minOfferPrice must not exceed maxOfferPrice');
  }
  return {
    key: `shop ${queryString}`,
    respond: () => ({ status: 200, body: search(query, range) }),
    noBid: { status: 200, body: '{"products":[]}' },
    wrongBody: () => '{"products":"not an array"}',
  };
}

function readPrice(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  if (!/^\d+(\.\d+)?$/.test(text)) throw new BadRequest(`${name} must be a decimal number of at least 0`);
  return Number(text);
}

/** Returns a search whose results are JSON text; the terms of a query are separated by commas. */
function createSearch(catalogue: readonly CatalogueEntry[]): (query: string, range: PriceRange) => string {
  const byCpm = catalogue.toSorted((a, b) => b.product.cpm - a.product.cpm);
  const jsonTexts = byCpm.map(({ product }) => JSON.stringify(product));
  const wordIndex = buildWordIndex(byCpm);
  return (query, { min = 0, max = Infinity }) => {
    const results: string[] = [];
    for (const position of findMatches(query, wordIndex)) {
      const { price } = byCpm[position]!.product;
      if (price >= min && price <= max) results.push(jsonTexts[position]!);
      if (results.length === maxResults) break;
    }
    return `{"products":[${results.join(',')}]}`;
  };
}

/** Maps each word to the positions of the entries that contain it. */
function buildWordIndex(entries: readonly CatalogueEntry[]): Map<string, Set<number>> {
  const index = new Map<string, Set<number>>();
  for (const [position, entry] of entries.entries()) {
    for (const word of splitWords(searchableText(entry))) {
      const positions = index.get(word);
      if (positions) positions.add(position);
      else index.set(word, new Set([position]));
    }
  }
  return index;
}

function searchableText({ product: { title, brand, description = '' }, category }: CatalogueEntry): string {
  return [title, brand, description, category].join(' ');
}

/** Returns the positions, in ascending order, of entries that contain all words of at least one term. */
function findMatches(query: string, index: ReadonlyMap<string, ReadonlySet<number>>): number[] {
  const matches = new Set<number>();
  for (const term of query.split(',')) {
    const [first, ...others] = splitWords(term).map((word) => index.get(word));
    for (const position of first ?? []) {
      if (others.every((positions) => positions?.has(position))) matches.add(position);
    }
  }
  return [...matches].sort((a, b) => a - b);
}

/** In lower case, without a plural s. */
function splitWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.replace(/(?<=\p{L}{2}[^s])s$/u, ''));
}
