/** Finds products: any of the terms will do, within a price range, the highest cpm first. */
import type { Product, ShelvedProduct } from './catalogue.ts';

export interface PriceRange {
  min: number | undefined;
  max: number | undefined;
}

const mostResults = 20;

/** A search that answers with the JSON text of its results; `query` holds terms with commas between them. */
export function createSearch(catalogue: readonly ShelvedProduct[]): (query: string, range: PriceRange) => string {
  const dearestFirst = catalogue.toSorted((a, b) => b.product.cpm - a.product.cpm);
  const texts = dearestFirst.map(({ product }) => JSON.stringify(product));
  const placesByWord = indexWords(dearestFirst);
  return (query, { min = 0, max = Infinity }) => {
    const found: string[] = [];
    for (const place of matchTerms(query, placesByWord)) {
      const { price } = dearestFirst[place]!.product;
      if (price >= min && price <= max) found.push(texts[place]!);
      if (found.length === mostResults) break;
    }
    return `{"products":[${found.join(',')}]}`;
  };
}

function indexWords(dearestFirst: readonly ShelvedProduct[]): Map<string, Set<number>> {
  const placesByWord = new Map<string, Set<number>>();
  for (const [place, { product, shelf }] of dearestFirst.entries()) {
    for (const word of wordsOf(searchableText(product, shelf))) {
      const places = placesByWord.get(word);
      if (places) places.add(place);
      else placesByWord.set(word, new Set([place]));
    }
  }
  return placesByWord;
}

const searchableText = ({ title, brand, description = '' }: Product, shelf: string): string =>
  [title, brand, description, shelf].join(' ');

/** Places of the products that have all words of one term or another, in order. */
function matchTerms(query: string, placesByWord: ReadonlyMap<string, ReadonlySet<number>>): number[] {
  const matched = new Set<number>();
  for (const term of query.split(',')) {
    const [first, ...others] = wordsOf(term).map((word) => placesByWord.get(word));
    for (const place of first ?? []) {
      if (others.every((places) => places?.has(place))) matched.add(place);
    }
  }
  return [...matched].sort((a, b) => a - b);
}

/** In lower case, and without the s of a plural. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.replace(/(?<=\p{L}{2}[^s])s$/u, ''));
