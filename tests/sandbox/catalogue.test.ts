/** The catalogue as a whole. */
import { expect, test } from '@jest/globals';
import { buildCatalogue } from '../../src/sandbox/shop/catalogue.ts';

const products = buildCatalogue().map(({ product }) => product);

test('it has a few hundred products, each with an id of its own', () => {
  expect(products.length).toBeGreaterThan(200);
  expect(new Set(products.map(({ id }) => id)).size).toBe(products.length);
});

test('every price and cpm is one to be paid', () => {
  for (const { price, cpm } of products) {
    expect(price).toBeGreaterThan(5);
    expect(cpm).toBeGreaterThanOrEqual(0.4);
    expect(cpm).toBeLessThanOrEqual(3.6);
    expect(cpm).toBe(Number(cpm.toFixed(2)));
  }
});

test('a few lack an image, a few a description', () => {
  const lacking = (member: 'imageUrl' | 'description') => products.filter((product) => product[member] === undefined);
  expect(lacking('imageUrl').length).toBeGreaterThan(5);
  expect(lacking('description').length).toBeGreaterThan(5);
  expect(lacking('imageUrl').length + lacking('description').length).toBeLessThan(products.length / 5);
});
