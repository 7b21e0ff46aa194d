/** The generated product catalogue. */
import { expect, test } from '@jest/globals';
import { buildCatalogue } from '../../src/sandbox/shop/catalogue.ts';

const products = buildCatalogue().map(({ product }) => product);

test('has a few hundred products with unique ids', () => {
  expect(products.length).toBeGreaterThan(200);
  expect(new Set(products.map(({ id }) => id)).size).toBe(products.length);
});

test('has plausible prices and cpms', () => {
  for (const { price, cpm } of products) {
    expect(price).toBeGreaterThan(5);
    expect(cpm).toBeGreaterThanOrEqual(0.4);
    expect(cpm).toBeLessThanOrEqual(3.6);
    expect(cpm).toBe(Number(cpm.toFixed(2)));
  }
});

test('has some products without an image and some without a description', () => {
  const without = (field: 'imageUrl' | 'description') => products.filter((product) => product[field] === undefined);
  expect(without('imageUrl').length).toBeGreaterThan(5);
  expect(without('description').length).toBeGreaterThan(5);
  expect(without('imageUrl').length + without('description').length).toBeLessThan(products.length / 5);
});
