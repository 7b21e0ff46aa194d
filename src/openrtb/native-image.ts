/** Compares images with what an image asset of a native request requires. */
import type { NativeAsset } from './native-request.ts';

type RequestedImage = NonNullable<NativeAsset['img']>;

/** Below a minimum. A side that is not stated fits. */
const isTooSmall = (width: number | undefined, height: number | undefined, { wmin = 0, hmin = 0 }: RequestedImage) =>
  (width ?? wmin) < wmin || (height ?? hmin) < hmin;

/** Native 1.2: a size is exact only if no minimum is given; 0 is no minimum. */
const exactSide = (side: number | undefined, minimum: number | undefined): number | undefined =>
  minimum ? undefined : side;

const isOther = (side: number | undefined, exact: number | undefined): boolean =>
  side !== undefined && exact !== undefined && side !== exact;

const isInexact = (width: number | undefined, height: number | undefined, { w, h, wmin, hmin }: RequestedImage) =>
  isOther(width, exactSide(w, wmin)) || isOther(height, exactSide(h, hmin));

export const hasFittingSize = ({ w, h }: { w?: number; h?: number }, requested: RequestedImage): boolean =>
  !isTooSmall(w, h, requested) && !isInexact(w, h, requested);

/** Undefined if the size fits. */
export function sizeProblem(
  width: number | undefined,
  height: number | undefined,
  requested: RequestedImage,
): string | undefined {
  const { w, h, wmin, hmin } = requested;
  if (isTooSmall(width, height, requested))
    return `image ${describeSize(width, height)} is smaller than ${describeSize(wmin || undefined, hmin || undefined)}`;
  if (isInexact(width, height, requested))
    return `image ${describeSize(width, height)} is not ${describeSize(exactSide(w, wmin), exactSide(h, hmin))}`;
  return undefined;
}

function describeSize(width: number | undefined, height: number | undefined): string {
  if (height === undefined) return `${width} wide`;
  return width === undefined ? `${height} high` : `${width}x${height}`;
}

const mimesByExtension: ReadonlyMap<string, readonly string[]> = new Map([
  ['jpg', ['image/jpeg', 'image/jpg']],
  ['jpeg', ['image/jpeg', 'image/jpg']],
  ['png', ['image/png']],
  ['gif', ['image/gif']],
  ['webp', ['image/webp']],
  ['avif', ['image/avif']],
  ['svg', ['image/svg+xml']],
]);

/** The MIME types of the file, by its extension; undefined if the extension is unknown. */
export function mimesOf(url: string): readonly string[] | undefined {
  const path = /^[^?#]*/.exec(url)![0];
  return mimesByExtension.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}

/** Undefined if any is accepted. */
export const acceptedMimes = ({ mimes = [] }: RequestedImage): ReadonlySet<string> | undefined =>
  mimes.length === 0 ? undefined : new Set(mimes.map((mime) => mime.toLowerCase()));
