/** Exchange rates. Money inside the exchange is in micros of a US dollar. */

export interface Rates {
  /** US dollars per unit of a currency, whose code is in upper case; undefined without a rate. */
  dollarsPer(currency: string): number | undefined;
  /** The codes of all currencies with a rate, USD first. */
  readonly currencies: readonly string[];
}

/** The rates as the primary sends them to the workers: US dollars per unit, by upper-case code. */
export interface RatesTable {
  dollarsPer: Readonly<Record<string, number>>;
  /** When the rates were determined, in milliseconds since the Unix epoch. */
  asOfMs: number;
}

export function createRates(dollarsPer: RatesTable['dollarsPer']): Rates {
  const rates = new Map([...Object.entries(dollarsPer), ['USD', 1]] as const);
  const others = [...rates.keys()].filter((currency) => currency !== 'USD').sort();
  return { dollarsPer: (currency) => rates.get(currency), currencies: ['USD', ...others] };
}

/** Without a rates file, the exchange trades in US dollars only. */
export const usdOnly: Rates = createRates({});
