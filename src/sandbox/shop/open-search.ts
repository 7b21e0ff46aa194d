/** The query of a product search to the call that it makes. */
import { BadInput, type Call } from '../call.ts';
import { buildCatalogue } from './catalogue.ts';
import { createSearch, type PriceRange } from './search.ts';

const search = createSearch(buildCatalogue());

/** Throws BadInput. */
export function openSearch(queryString: string): Call {
  const parameters = new URLSearchParams(queryString);
  const query = parameters.get('query') ?? '';
  if (query.replaceAll(',', '').trim() === '') throw new BadInput('query must hold at least one term');
  const range: PriceRange = {
    min: readPrice(parameters, 'minOfferPrice'),
    max: readPrice(parameters, 'maxOfferPrice'),
  };
  if (range.min !== undefined && range.max !== undefined && range.min > range.max) {
    throw new BadInput('minOfferPrice must not exceed maxOfferPrice');
  }
  return {
    key: `shop ${queryString}`,
    answer: () => ({ status: 200, body: search(query, range) }),
    nothing: { status: 200, body: '{"products":[]}' },
    misfit: () => '{"products":"none of your business"}',
  };
}

function readPrice(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  if (!/^\d+(\.\d+)?$/.test(text)) throw new BadInput(`${name} must be a number of at least 0, in digits`);
  return Number(text);
}
