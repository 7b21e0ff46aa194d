/** The warnings about currencies that the exchange cannot convert; a request with a warning is served. */

const code = 'CURRENCY_NOT_TRADED';

/** All codes, so that their counters can start at zero. */
export const currencyWarningCodes: readonly string[] = [code];

/** The impression gets no bid. */
export const floorNotTraded = (impIndex: number, currencies: readonly string[]) => ({
  code,
  field: `imp[${impIndex}].bidfloorcur`,
  message: `The impression gets no bid: its floor must be in a currency with an exchange rate (${list(currencies)})`,
});

/** The request gets no bid. */
export const responseNotTraded = (currencies: readonly string[]) => ({
  code,
  field: 'cur',
  message: `The request gets no bid: cur must name a currency with an exchange rate (${list(currencies)})`,
});

/** A rates file may have hundreds. */
const maxListed = 10;

const list = (currencies: readonly string[]): string =>
  currencies.length <= maxListed
    ? currencies.join(', ')
    : `${currencies.slice(0, maxListed).join(', ')} and ${currencies.length - maxListed} more`;
