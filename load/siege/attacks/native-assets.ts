/** Native requests that multiply the texts of a product partner, or that none of its products can serve. */
import { seededRandom } from '../../lib/random.ts';
import { type Attack, once, sendAtAllowedRate } from '../attack.ts';
import { bidRequest, impression, nativeRequest, site } from '../traffic/bid-request.ts';
import { post } from '../traffic/http-request.ts';

const random = seededRandom(5);

const descriptions = (count: number) => Array.from({ length: count }, (_, id) => ({ id, data: { type: 2 } }));
const unservable = { id: 99, required: 1, data: { type: 500 } };

/** A number among the keywords makes the search a new one, so that no cached response serves it. */
const search = (keyword: string, natives: readonly string[]): string =>
  JSON.stringify(
    bidRequest('native-assets', {
      imp: natives.map((native, index) => ({ ...impression(native), id: `slot-${index + 1}` })),
      site: site('native-assets', { keywords: `${keyword}, ${random.integer(0, 1e9)}` }),
    }),
  );

const requests = once(() => {
  const many = [5_000, 5_900, 6_400].map((count) => post(search('encyclopedia', [nativeRequest(descriptions(count))])));
  const few = [50, 40, 20].map((count) => nativeRequest(descriptions(count)));
  const noProduct = [unservable, { id: 99, required: 1, video: { mimes: ['video/mp4'] } }].map((asset) =>
    nativeRequest([...descriptions(49), asset]),
  );
  return [
    (index: number) => many[index % many.length]!,
    (index: number) => post(search('encyclopedia', [few[index % few.length]!])),
    (index: number) => post(search('warehouse', [noProduct[index % noProduct.length]!])),
    (index: number) => post(search('brochure', Array<string>(3).fill(few[index % few.length]!))),
  ];
});

export const nativeAssets: Attack = {
  name: 'native-assets',
  title: 'thousands of description assets, long product texts, an asset that no product serves',
  addresses: 1,
  start(context) {
    const kinds = requests();
    sendAtAllowedRate(context, (index) => kinds[index % kinds.length]!(index >> 2));
  },
};
