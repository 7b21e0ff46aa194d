/** The responses of the product partner, by a word in the query: long texts, many products. */

const product = (index: number, description: string) => ({
  id: `product-${index}`,
  title: `Product ${index} ${'with a long title '.repeat(20)}`,
  description,
  brand: 'Siege outfitters',
  url: `https://products.example/${index}`,
  imageUrl: `https://products.example/${index}.jpg`,
  imageWidth: 1200,
  imageHeight: 627,
  price: 129,
  currency: 'USD',
  cpm: 1.5 - index / 1_000,
  advertiserDomain: 'products.example',
});

const productsWith = (count: number, descriptionLength: number): Buffer =>
  Buffer.from(
    JSON.stringify({
      products: Array.from({ length: count }, (_, index) => product(index, 'text '.repeat(descriptionLength / 5))),
    }),
  );

/** The name is a part of the query; `default` responds to all others. */
export const productResponses: Readonly<Record<string, Buffer>> = {
  /** One product whose text almost fills the response. */
  encyclopedia: productsWith(1, 1_000_000),
  /** Twenty assets with this text are a response of 400 kB, or of 40 kB where texts are cut. */
  brochure: productsWith(1, 20_000),
  /** As many products as are read. */
  warehouse: productsWith(500, 1_000),
  default: productsWith(3, 5_000),
};
