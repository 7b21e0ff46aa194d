/** The highest price of a bid, a campaign or a product, in US dollars per thousand impressions. */
export const maxPrice = 100_000;
