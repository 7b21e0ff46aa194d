/** The shop's products, made from the shelves' words: a few hundred, the same in every run. */
import { drawShare } from '../hash.ts';
import { indoorShelves } from './indoor-shelves.ts';
import { outdoorShelves } from './outdoor-shelves.ts';
import type { Shelf } from './shelf.ts';

/** A product as the search answers it. */
export interface Product {
  id: string;
  title: string;
  description?: string;
  price: number;
  currency: 'USD';
  imageUrl?: string;
  imageWidth?: number;
  imageHeight?: number;
  url: string;
  brand: string;
  advertiserDomain: string;
  cpm: number;
}

export interface ShelvedProduct {
  product: Product;
  /** The words of its category. */
  shelf: string;
}

const lowestCpm = 0.4;
const highestCpm = 3.6;

/** Every so many products lack something, as in any real catalogue. */
const withoutImage = 19;
const withoutDescription = 23;

export function buildCatalogue(): ShelvedProduct[] {
  let count = 0;
  return [...outdoorShelves, ...indoorShelves].flatMap((shelf) =>
    shelf.goods.flatMap(([good, lowest, highest]) =>
      shelf.styles.map((style) => {
        count += 1;
        const price = Math.floor(lowest + (highest - lowest) * drawShare(`price ${style} ${good}`)) + 0.95;
        return { product: makeProduct(shelf, good, style, price, count), shelf: shelf.category };
      }),
    ),
  );
}

function makeProduct({ brands, purposes }: Shelf, good: string, style: string, price: number, count: number): Product {
  const id = `${style} ${good}`.replaceAll(/[^a-z]+/gi, '-').toLowerCase();
  const brand = brands[count % brands.length]!;
  const domain = `${brand.toLowerCase().replaceAll(/[^a-z]/g, '')}.example`;
  const cpm = lowestCpm + (highestCpm - lowestCpm) * drawShare(`cpm ${id}`);
  const described = `${style} ${good} for ${purposes[Math.floor(count / 4) % purposes.length]!}.`;
  return {
    id,
    title: `${brand} ${capitalise(`${style} ${good}`)}`,
    ...(count % withoutDescription > 0 && { description: described[0]!.toUpperCase() + described.slice(1) }),
    price,
    currency: 'USD',
    ...(count % withoutImage > 0 && imageOf(domain, id, count)),
    url: `https://${domain}/products/${id}`,
    brand,
    advertiserDomain: domain,
    cpm: Math.round(cpm * 100) / 100,
  };
}

function imageOf(domain: string, id: string, count: number) {
  const [w, h] = count % 4 === 0 ? [800, 800] : [1200, 627];
  return { imageUrl: `https://${domain}/img/${id}-${w}x${h}.jpg`, imageWidth: w, imageHeight: h };
}

const capitalise = (text: string): string => text.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
