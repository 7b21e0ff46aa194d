/** What the buckets are called, wherever they are kept. */
import { createHash } from 'node:crypto';
import type { RateLimitKeys } from './rate-limiter.ts';

export const globalKey = 'g';
const addressPrefix = 'i:';
const publisherPrefix = 'p:';

/** Ids come from callers and have no length limit; keys have. */
const longestPublisher = 64;

export interface BucketKeys {
  ip: string;
  publisher: string | undefined;
  global: string;
}

export const bucketKeys = ({ ip, publisher }: RateLimitKeys): BucketKeys => ({
  ip: addressPrefix + ip,
  publisher: publisher === undefined ? undefined : publisherPrefix + shorten(publisher),
  global: globalKey,
});

const shorten = (id: string): string =>
  id.length <= longestPublisher ? id : createHash('sha256').update(id).digest('base64url');
