/** The native responses of alpha and beta, compared with the requested assets. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Bid, collectBids, ids, type NativeResponse, type RequestOptions, title } from './bid-request.ts';
import { type Sandbox, startSandbox } from './start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.end());

const collect = (partner: string, options: RequestOptions) => collectBids(sandbox, partner, options);

const readMarkup = ({ adm }: Bid): NativeResponse => {
  const root = JSON.parse(adm) as NativeResponse | { native: NativeResponse };
  return 'native' in root ? root.native : root;
};

describe.each(['alpha', 'beta'])('%s', (partner) => {
  test('fills every asset that it supports, within the requested limits', async () => {
    const assets = [
      { id: 0, required: 1, title: { len: 12 } },
      { id: 7, required: 1, img: { type: 3, wmin: 1200, hmin: 627 } },
      { id: 2, required: 1, img: { type: 1, wmin: 100, hmin: 100 } },
      { id: 3, required: 1, data: { type: 1, len: 6 } },
      { id: 4, required: 1, data: { type: 2 } },
      { id: 5, required: 1, data: { type: 6 } },
      { id: 6, required: 1, data: { type: 12, len: 0 } },
      { id: 9, required: 0, data: { type: 3 } },
      { id: 10, required: 0, video: { minduration: 5 } },
    ];
    const bids = await collect(partner, { assets });
    expect(bids).toHaveLength(ids.length);
    for (const bid of bids) {
      const filled = readMarkup(bid).assets;
      expect(filled.map(({ id }) => id)).toEqual([0, 7, 2, 3, 4, 5, 6]);
      expect(filled[0]!.title!.text.length).toBeLessThanOrEqual(12);
      expect(filled[1]!.img).toMatchObject({ w: 1200, h: 627 });
      expect(filled[2]!.img).toMatchObject({ w: 256, h: 256 });
      expect(filled[3]!.data!.value.length).toBeLessThanOrEqual(6);
      for (const asset of filled.slice(4)) expect(asset.data!.value).not.toBe('');
    }
  });

  test.each([
    ['an image larger than its images', { id: 2, required: 1, img: { wmin: 1201 } }],
    ['a video', { id: 2, required: 1, video: {} }],
    ['a rating', { id: 2, required: 1, data: { type: 3 } }],
  ])('does not bid if %s is required', async (_description, asset) => {
    expect(await collect(partner, { assets: [title, asset] })).toEqual([]);
  });

  test('uses only creatives that have the required assets', async () => {
    const creatives = async (assets: object[]) => new Set((await collect(partner, { assets })).map(({ crid }) => crid));
    const all = await creatives([title]);
    const priced = await creatives([title, { id: 2, required: 1, data: { type: 6 } }]);
    expect(all.size).toBe(8);
    expect(priced.size).toBeGreaterThan(2);
    expect(priced.size).toBeLessThan(all.size);
  });

  test('adds an impression tracker only if the request supports image trackers', async () => {
    const withPixel = await collect(partner, { native: { eventtrackers: [{ event: 1, methods: [2, 1] }] } });
    expect(readMarkup(withPixel[0]!).eventtrackers).toEqual([{ event: 1, method: 1, url: expect.any(String) }]);
    const withoutPixel = await collect(partner, { native: { eventtrackers: [{ event: 1, methods: [2] }] } });
    expect(readMarkup(withoutPixel[0]!)).not.toHaveProperty('eventtrackers');
  });
});
