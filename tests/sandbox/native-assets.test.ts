/** What alpha and beta show, held against the assets that were asked for. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { askForMany, type Bid, ids, type NativeAnswer, title, type Wish } from './bid-request.ts';
import { type Sandbox, startSandbox } from './start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.end());

const bidsOn = (partner: string, wish: Wish) => askForMany(sandbox, partner, wish);

const readMarkup = ({ adm }: Bid): NativeAnswer => {
  const root = JSON.parse(adm) as NativeAnswer | { native: NativeAnswer };
  return 'native' in root ? root.native : root;
};

describe.each(['alpha', 'beta'])('%s', (partner) => {
  test('serves every kind of asset that it can, within its limits', async () => {
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
    const bids = await bidsOn(partner, { assets });
    expect(bids).toHaveLength(ids.length);
    for (const bid of bids) {
      const served = readMarkup(bid).assets;
      expect(served.map(({ id }) => id)).toEqual([0, 7, 2, 3, 4, 5, 6]);
      expect(served[0]!.title!.text.length).toBeLessThanOrEqual(12);
      expect(served[1]!.img).toMatchObject({ w: 1200, h: 627 });
      expect(served[2]!.img).toMatchObject({ w: 256, h: 256 });
      expect(served[3]!.data!.value.length).toBeLessThanOrEqual(6);
      for (const asset of served.slice(4)) expect(asset.data!.value).not.toBe('');
    }
  });

  test.each([
    ['an image larger than its own', { id: 2, required: 1, img: { wmin: 1201 } }],
    ['a video', { id: 2, required: 1, video: {} }],
    ['a rating', { id: 2, required: 1, data: { type: 3 } }],
  ])('has nothing where %s is required', async (_what, asset) => {
    expect(await bidsOn(partner, { assets: [title, asset] })).toEqual([]);
  });

  test('shows only creatives that have what is required', async () => {
    const creatives = async (assets: object[]) => new Set((await bidsOn(partner, { assets })).map(({ crid }) => crid));
    const all = await creatives([title]);
    const priced = await creatives([title, { id: 2, required: 1, data: { type: 6 } }]);
    expect(all.size).toBe(8);
    expect(priced.size).toBeGreaterThan(2);
    expect(priced.size).toBeLessThan(all.size);
  });

  test('counts views only where an image is offered for that', async () => {
    const counted = await bidsOn(partner, { native: { eventtrackers: [{ event: 1, methods: [2, 1] }] } });
    expect(readMarkup(counted[0]!).eventtrackers).toEqual([{ event: 1, method: 1, url: expect.any(String) }]);
    const uncounted = await bidsOn(partner, { native: { eventtrackers: [{ event: 1, methods: [2] }] } });
    expect(readMarkup(uncounted[0]!)).not.toHaveProperty('eventtrackers');
  });
});
