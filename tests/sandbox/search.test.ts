/** The product service: what it finds, in which order, and how much of it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, type Sandbox, startSandbox } from './start-sandbox.ts';

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

async function find(
  query: string,
  prices: { minOfferPrice?: string; maxOfferPrice?: string } = {},
): Promise<Product[]> {
  const parameters = new URLSearchParams({ query, ...prices }).toString();
  const { status, text } = await ask(sandbox, `/shop/v1/ads/search?${parameters}`);
  expect(status).toBe(200);
  return (JSON.parse(text) as { products: Product[] }).products;
}

const titles = (products: Product[]) => products.map(({ title }) => title);

describe('terms', () => {
  test('a product is found with all that the service tells of one', async () => {
    const [product] = await find('trail running shoes');
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

  test('any of them will do', async () => {
    const [poles, seeds] = [await find('trekking poles'), await find('seed starter kit')];
    expect(poles.length * seeds.length).toBeGreaterThan(0);
    const either = await find('trekking poles,nothing like it, seed starter kit ');
    expect(titles(either).toSorted()).toEqual(titles([...poles, ...seeds]).toSorted());
  });

  test('all words of one are needed, in any order', async () => {
    expect(titles(await find('shoes running trail'))).toEqual(titles(await find('trail running shoes')));
    expect(await find('trail espresso')).toEqual([]);
  });

  test.each([
    ['title', 'espresso machine'],
    ['brand', 'bramblecote'],
    ['description', 'cobbled streets'],
    ['category', 'luggage'],
  ])('they are looked for in the %s', async (_place, term) => {
    expect((await find(term)).length).toBeGreaterThan(0);
  });

  test('neither case nor the plural matters', async () => {
    const products = titles(await find('trail running shoe'));
    expect(products.length).toBeGreaterThan(0);
    expect(titles(await find('TRAIL Running SHOES'))).toEqual(products);
  });

  test('one that nothing matches finds nothing', async () => {
    expect(await find('submarine')).toEqual([]);
  });
});

describe('results', () => {
  test('are at most 20, the highest cpm first', async () => {
    const products = await find('running,hiking,cycling,kitchen,garden');
    expect(products).toHaveLength(20);
    const cpms = products.map(({ cpm }) => cpm);
    expect(cpms).toEqual(cpms.toSorted((a, b) => b - a));
    expect(cpms[19]).toBeGreaterThan(2);
  });

  test('keep within the prices asked for', async () => {
    const all = await find('bike');
    const within = await find('bike', { minOfferPrice: '40', maxOfferPrice: '100' });
    expect(within.length).toBeGreaterThan(0);
    for (const { price } of within) expect(price >= 40 && price <= 100).toBe(true);
    expect((await find('bike', { maxOfferPrice: '40' })).every(({ price }) => price <= 40)).toBe(true);
    expect((await find('bike', { minOfferPrice: '1000' })).every(({ price }) => price >= 1000)).toBe(true);
    expect(titles(await find('bike', { minOfferPrice: '0' }))).toEqual(titles(all));
  });

  test('are the same in every run', async () => {
    const other = await startSandbox();
    const path = '/shop/v1/ads/search?query=running%20shoes,trail%20running&maxOfferPrice=200';
    expect(await ask(other, path)).toEqual(await ask(sandbox, path));
    await other.end();
  });
});

describe('a query that cannot be used is answered 400 with the reason', () => {
  test.each([
    ['', /query/],
    ['query=', /query/],
    ['query=%20,%20,', /query/],
    ['query=shoes&minOfferPrice=cheap', /minOfferPrice/],
    ['query=shoes&maxOfferPrice=-1', /maxOfferPrice/],
    ['query=shoes&minOfferPrice=', /minOfferPrice/],
    ['query=shoes&minOfferPrice=20&maxOfferPrice=10', /must not exceed/],
  ])('%s', async (queryString, reason) => {
    const { status, text } = await ask(sandbox, `/shop/v1/ads/search?${queryString}`);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({ error: expect.stringMatching(reason) });
  });
});
