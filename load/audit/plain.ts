/** Plain messages of any size: what an honest sender would send if it had that much to say. */
import { httpRequest, httpResponse, type Messages, type Sizes } from './messages.ts';
import { sampleBidResponse, sampleProducts, sampleRequests, severalCallsRequest } from './samples.ts';
import { seeded, seedMark } from './seeded.ts';

/**
 * A request grows by audience segments in `user.data`, as large requests do: short texts and numbers in objects, partly
 * known to the schema and partly not. One long text in their place would be parsed, checked and encoded by a few copies of
 * memory, and every ordinary request would seem expensive beside it.
 */
const segment = (index: number) => ({
  id: String(1000 + index),
  name: `Segment ${index % 97}`,
  value: (index % 89) / 100,
});

/** Filled up to the exact size with the name of the last provider. */
export function plainRequestBody(bytes: number, sample = sampleRequests[0] as { user: object }): string {
  const write = (segments: object[], name: string) =>
    JSON.stringify({
      ...sample,
      user: { ...sample.user, id: seedMark, data: [{ id: 'dmp', name, segment: segments }] },
    });
  return grow(bytes, segment, write);
}

export const plainBids = (bytes: number): string =>
  grow(bytes, segment, (segments, name) => JSON.stringify({ ...sampleBidResponse, ext: { name, segments } }));

/** Unknown members beside the products: the adapter reads no more than 500 products. */
export const plainProducts = (bytes: number): string =>
  grow(bytes, segment, (facets, name) => JSON.stringify({ ...sampleProducts, name, facets }));

/** As many items as fit, then a text that fills the rest. Smaller than the sample it cannot become. */
function grow(
  bytes: number,
  item: (index: number) => object,
  write: (items: object[], name: string) => string,
): string {
  const itemBytes = write([item(0), item(1)], '').length - write([item(0)], '').length;
  const items = Array.from(
    { length: Math.max(0, Math.floor(((bytes - write([], '').length) / itemBytes) * 0.95)) },
    (_, i) => item(i),
  );
  const missing = bytes - Buffer.byteLength(write(items, ''));
  return write(items, missing > 0 ? 'Provider of segments '.repeat(missing / 21 + 1).slice(0, missing) : '');
}

/** Plain messages of the given sizes. */
export function preparePlain({ request, bids, products, hasSeveralCalls }: Sizes): (seed: string) => Messages {
  const requestOf = seeded(httpRequest(plainRequestBody(request, hasSeveralCalls ? severalCallsRequest : undefined)));
  const responses = {
    ...(bids !== undefined && { bids: httpResponse(plainBids(bids)) }),
    ...(products !== undefined && { products: httpResponse(plainProducts(products)) }),
  };
  return (seed) => ({ request: requestOf(seed), ...responses });
}
