/** The shop's catalogue: a few hundred products generated from its sections, the same in every run. */
import { hashFraction } from '../hash.ts';
import { type CatalogueSection, catalogueSections } from './catalogue-sections.ts';

/** A product in the format of the search response. */
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

export interface CatalogueEntry {
  product: Product;
  category: string;
}

const minCpm = 0.4;
const maxCpm = 3.6;

/** One product in 19 has no image, one in 23 no description: real catalogues have gaps. */
const missingImageInterval = 19;
const missingDescriptionInterval = 23;

export function buildCatalogue(): CatalogueEntry[] {
  let count = 0;
  return catalogueSections.flatMap((section) =>
    section.items.flatMap(([item, minPrice, maxPrice]) =>
      section.styles.map((style) => {
        count += 1;
        const price = Math.floor(minPrice + (maxPrice - minPrice) * hashFraction(`price ${style} ${item}`)) + 0.95;
        return { product: createProduct(section, `${style} ${item}`, price, count), category: section.category };
      }),
    ),
  );
}

/** `count` is the number of the product in the catalogue; it varies brand, purpose and gaps. */
function createProduct({ brands, purposes }: CatalogueSection, name: string, price: number, count: number): Product {
  const id = name.replaceAll(/[^a-z]+/gi, '-').toLowerCase();
  const brand = brands[count % brands.length]!;
  const domain = `${brand.toLowerCase().replaceAll(/[^a-z]/g, '')}.example`;
  const cpm = minCpm + (maxCpm - minCpm) * hashFraction(`cpm ${id}`);
  const description = `${name} for ${purposes[Math.floor(count / 4) % purposes.length]!}.`;
  return {
    id,
    title: `${brand} ${capitalise(name)}`,
    ...(count % missingDescriptionInterval > 0 && {
      description: description[0]!.toUpperCase() + description.slice(1),
    }),
    price,
    currency: 'USD',
    ...(count % missingImageInterval > 0 && imageOf(domain, id, count)),
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
