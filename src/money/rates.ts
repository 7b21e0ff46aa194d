/** Exchange rates. Money inside the exchange is in micros of a US dollar. */

export interface Rates {
  /** US dollars per unit of a currency, whose code is in upper case; undefined without a rate. */
  dollarsPer(currency: string): number | undefined;
}

/** Without a rates file, the exchange trades in US dollars only. */
export const usdOnly: Rates = { dollarsPer: (currency) => (currency === 'USD' ? 1 : undefined) };
