/** Names what an impression's native request requires of an ad. */
import { asArray, asNumber, asObject, type JsonObject, tryParse } from '../json/read-values.ts';

/** A longer text is not parsed. */
const maxLength = 64 * 1024;
const maxNamed = 10;

const dataTypes: Record<number, string> = {
  1: 'sponsored by',
  2: 'description',
  3: 'rating',
  4: 'likes',
  5: 'downloads',
  6: 'price',
  7: 'sale price',
  8: 'phone',
  9: 'address',
  10: 'second description',
  11: 'displayed URL',
  12: 'call to action',
};

/** `request` is `native.request` of an impression: a text, or an object. */
export function requiredAssets(request: unknown): string[] {
  const parsed = typeof request === 'string' && request.length <= maxLength ? tryParse(request) : request;
  const outer = asObject(parsed);
  const { assets } = 'native' in outer ? asObject(outer.native) : outer;
  const required = asArray(assets).filter((asset) => asObject(asset).required === 1);
  return [...new Set(required.map((asset) => nameOf(asObject(asset))))].slice(0, maxNamed);
}

function nameOf({ title, img, data, video }: JsonObject): string {
  if (title !== undefined) return 'a title';
  if (img !== undefined) return imageName(asObject(img));
  if (video !== undefined) return 'a video';
  const type = asNumber(asObject(data).type) ?? 0;
  return `data of type ${type}${dataTypes[type] ? ` (${dataTypes[type]})` : ''}`;
}

function imageName({ type, w, h, wmin, hmin }: JsonObject): string {
  const name = asNumber(type) === 1 ? 'an icon' : 'an image';
  const [minWidth, minHeight] = [asNumber(wmin), asNumber(hmin)];
  if (minWidth && minHeight) return `${name} of at least ${minWidth} × ${minHeight}`;
  const [width, height] = [sideName(w, minWidth), sideName(h, minHeight)];
  return width || height ? `${name} of ${width ?? 'any'} × ${height ?? 'any'}` : name;
}

/** A size is exact only if no minimum is given. */
const sideName = (exact: unknown, minimum: number | undefined): string | undefined =>
  minimum ? `at least ${minimum}` : asNumber(exact)?.toString();
