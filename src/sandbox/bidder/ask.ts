/** A bid request as a bidder of the sandbox understands it: no more than it bids by. */
import { BadInput } from '../call.ts';
import { type Asset, readAssets } from './asset.ts';
import { isObject, type JsonObject, parseObject } from './json-object.ts';

export interface Ask {
  id: string;
  /** The words of the page's keywords, in lower case. */
  words: ReadonlySet<string>;
  /** The native impressions that are priced in US dollars. */
  impressions: Impression[];
}

export interface Impression {
  id: string;
  floor: number;
  ver: string;
  assets: Asset[];
  /** Whether an image may be loaded to count that the ad was seen. */
  countsViews: boolean;
}

/** Throws BadInput. */
export function readAsk(text: string): Ask {
  const request = parseObject(text, 'the body');
  const { imp } = request;
  if (!Array.isArray(imp) || imp.length === 0) throw new BadInput('imp must be an array of at least one impression');
  return {
    id: readId(request, 'id'),
    words: readWords(request),
    impressions: imp.flatMap((one: unknown, index) => readImpression(one, `imp[${index}]`) ?? []),
  };
}

function readImpression(imp: unknown, at: string): Impression | undefined {
  if (!isObject(imp)) throw new BadInput(`${at} must be an object`);
  const id = readId(imp, `${at}.id`);
  const floor = imp.bidfloor ?? 0;
  if (typeof floor !== 'number' || floor < 0) throw new BadInput(`${at}.bidfloor must be a number of at least 0`);
  if (!isObject(imp.native) || (imp.bidfloorcur ?? 'USD') !== 'USD') return undefined;
  const { request } = imp.native;
  const place = `${at}.native.request`;
  if (typeof request !== 'string') throw new BadInput(`${place} must be the JSON text of a native request`);
  const root = parseObject(request, place);
  const native = isObject(root.native) ? root.native : root;
  return {
    id,
    floor,
    ver: typeof native.ver === 'string' ? native.ver : '1.2',
    assets: readAssets(native.assets, place),
    countsViews: offersViewImage(native.eventtrackers),
  };
}

function readId({ id }: JsonObject, at: string): string {
  if (typeof id !== 'string' || id === '') throw new BadInput(`${at} must be a text that is not empty`);
  return id;
}

function readWords({ site, app }: JsonObject): Set<string> {
  const page = isObject(site) ? site : app;
  const keywords = isObject(page) ? page.keywords : undefined;
  return new Set(typeof keywords === 'string' ? keywords.toLowerCase().match(/[\p{L}\p{N}]+/gu) : undefined);
}

/** Event 1 is the impression, method 1 an image. */
function offersViewImage(trackers: unknown): boolean {
  return (
    Array.isArray(trackers) &&
    trackers.some((one) => isObject(one) && one.event === 1 && Array.isArray(one.methods) && one.methods.includes(1))
  );
}
