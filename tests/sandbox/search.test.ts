/** The product search: matching, order and number of results. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Sandbox, send, startSandbox } from './start-sandbox.ts';

interface Product {
  id: string;
  title: string;
  description?: string;
  price: number;
  brand: string;
  cpm: number;
}

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.end());

async function search(
  query: string,
  prices: { minOfferPrice?: string; maxOfferPrice?: string } = {},
): Promise<Product[]> {
  const parameters = new URLSearchParams({ query, ...prices }).toString();
  const { status, text } = await send(sandbox, `/shop/v1/ads/search?${parameters}`);
  expect(status).toBe(200);
  return (JSON.parse(text) as { products: Product[] }).products;
}

const titles = (products: Product[]) => products.map(({ title }) => title);

describe('terms', () => {
  test('find a product with all of its fields', async () => {
    const [product] = await search('trail running shoes');
    expect(product).toMatchObject({
      id: expect.any(String),
      title: expect.stringMatching(/Trail Running Shoes$/),
      description: expect.any(String),
      price: expect.any(Number),
      currency: 'USD',
      imageUrl: expect.stringMatching(/^https:\/\/\w+\.example\/.*\.jpg$/),
      imageWidth: expect.any(Number),
      imageHeight: expect.any(Number),
      url: expect.stringMatching(/^https:\/\/\w+\.example\//),
      brand: expect.any(String),
      advertiserDomain: expect.stringMatching(/^\w+\.example$/),
      cpm: expect.any(Number),
    });
  });

  test('match products that match any of them', async () => {
    const [poles, seeds] = [await search('trekking poles'), await search('seed starter kit')];
    expect(poles.length * seeds.length).toBeGreaterThan(0);
    const either = await search('trekking poles,nothing like it, seed starter kit ');
    expect(titles(either).toSorted()).toEqual(titles([...poles, ...seeds]).toSorted());
  });

  test('match only if all of their words match, in any order', async () => {
    expect(titles(await search('shoes running trail'))).toEqual(titles(await search('trail running shoes')));
    expect(await search('trail espresso')).toEqual([]);
  });

  test.each([
    ['title', 'espresso machine'],
    ['brand', 'bramblecote'],
    ['description', 'cobbled streets'],
    ['category', 'luggage'],
  ])('are searched in the %s', async (_field, term) => {
    expect((await search(term)).length).toBeGreaterThan(0);
  });

  test('are case-insensitive and ignore plurals', async () => {
    const products = titles(await search('trail running shoe'));
    expect(products.length).toBeGreaterThan(0);
    expect(titles(await search('TRAIL Running SHOES'))).toEqual(products);
  });

  test('without a match give an empty result', async () => {
    expect(await search('submarine')).toEqual([]);
  });
});

describe('results', () => {
  test('are at most 20, ordered by cpm from high to low', async () => {
    const products = await search('running,hiking,cycling,kitchen,garden');
    expect(products).toHaveLength(20);
    const cpms = products.map(({ cpm }) => cpm);
    expect(cpms).toEqual(cpms.toSorted((a, b) => b - a));
    expect(cpms[19]).toBeGreaterThan(2);
  });

  test('are within the requested price range', async () => {
    const all = await search('bike');
    const within = await search('bike', { minOfferPrice: '40', maxOfferPrice: '100' });
    expect(within.length).toBeGreaterThan(0);
    for (const { price } of within) expect(price >= 40 && price <= 100).toBe(true);
    expect((await search('bike', { maxOfferPrice: '40' })).every(({ price }) => price <= 40)).toBe(true);
    expect((await search('bike', { minOfferPrice: '1000' })).every(({ price }) => price >= 1000)).toBe(true);
    expect(titles(await search('bike', { minOfferPrice: '0' }))).toEqual(titles(all));
  });

  test('are the same in every run', async () => {
    const other = await startSandbox();
    const path = '/shop/v1/ads/search?query=running%20shoes,trail%20running&maxOfferPrice=200';
    expect(await send(other, path)).toEqual(await send(sandbox, path));
    await other.end();
  });
});

describe('responds 400 with the reason to an invalid query', () => {
  test.each([
    ['', /query/],
    ['query=', /query/],
    ['query=%20,%20,', /query/],
    ['query=shoes&minOfferPrice=cheap', /minOfferPrice/],
    ['query=shoes&maxOfferPrice=-1', /maxOfferPrice/],
    ['query=shoes&minOfferPrice=', /minOfferPrice/],
    ['query=shoes&minOfferPrice=20&maxOfferPrice=10', /must not exceed/],
  ])('%s', async (queryString, reason) => {
    const { status, text } = await send(sandbox, `/shop/v1/ads/search?${queryString}`);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({ error: expect.stringMatching(reason) });
  });
});
