/** What the buckets are called, wherever they are kept. */
import { createHash } from 'node:crypto';
import type { Claim } from './limiter.ts';

/** Braces make a Redis cluster keep all buckets in one slot: one script decides on several of them. */
export const globalKey = 'gavel:{limits}:g';
const addressPrefix = 'gavel:{limits}:i:';
const publisherPrefix = 'gavel:{limits}:p:';

/** Ids come from callers and have no length limit; keys have. */
const longestPublisher = 64;

export interface BucketKeys {
  ip: string;
  publisher: string | undefined;
  global: string;
}

export const bucketKeys = ({ ip, publisher }: Claim): BucketKeys => ({
  ip: addressPrefix + ip,
  publisher: publisher === undefined ? undefined : publisherPrefix + shorten(publisher),
  global: globalKey,
});

const shorten = (id: string): string =>
  id.length <= longestPublisher ? id : createHash('sha256').update(id).digest('base64url');
