/** Native requests in several layouts; the sandbox demand can fill every required asset. */
import type { Random } from './random.ts';

type AssetKind = 'title' | 'img' | 'data';

interface Asset {
  id: number;
  required?: 0 | 1;
  title?: object;
  img?: object;
  data?: object;
  video?: object;
}

export interface NativeRequest {
  /** The JSON text for `imp[].native.request`. */
  text: string;
  /** Whether the root object is `{"native": {...}}`. */
  isWrapped: boolean;
  /** The assets that the markup must contain, by id. */
  required: Map<number, AssetKind>;
  assetIds: Set<number>;
}

const layouts: Asset[][] = [
  [
    { id: 1, required: 1, title: { len: 90 } },
    { id: 2, required: 1, img: { type: 3, wmin: 600, hmin: 314, mimes: ['image/jpeg', 'image/webp'] } },
    { id: 3, required: 1, data: { type: 1, len: 25 } },
    { id: 4, data: { type: 2, len: 140 } },
    { id: 5, data: { type: 12, len: 15 } },
  ],
  [
    { id: 0, required: 1, title: { len: 25 } },
    { id: 7, required: 0, data: { type: 6 } },
  ],
  [
    { id: 11, required: 1, title: { len: 60 } },
    { id: 12, required: 0, img: { type: 1, w: 80, h: 80, wmin: 50, hmin: 50 } },
    { id: 13, required: 1, data: { type: 2, len: 90 } },
    { id: 14, required: 0, video: { mimes: ['video/mp4'], minduration: 5, maxduration: 30, protocols: [2, 3] } },
  ],
  [
    { id: 1, required: 1, title: { len: 50 } },
    { id: 2, required: 1, img: { type: 3, w: 1200, h: 627, wmin: 300, hmin: 157 } },
  ],
];

/** Serialised once: serialising is most of what a request costs k6. */
const nativeRequests = layouts.flatMap((assets) =>
  ['1.2', '1.2', '1.1'].flatMap((ver) => [toNativeRequest(assets, ver, true), toNativeRequest(assets, ver, false)]),
);

export const pickNativeRequest = (random: Random): NativeRequest => random.pick(nativeRequests);

function toNativeRequest(assets: readonly Asset[], ver: string, isWrapped: boolean): NativeRequest {
  const native = { ver, context: 1, plcmttype: 1, assets };
  return {
    text: JSON.stringify(isWrapped ? { native } : native),
    isWrapped,
    required: new Map(assets.filter(({ required }) => required === 1).map((asset) => [asset.id, kindOf(asset)])),
    assetIds: new Set(assets.map(({ id }) => id)),
  };
}

function kindOf({ title, img }: Asset): AssetKind {
  if (title) return 'title';
  return img ? 'img' : 'data';
}
