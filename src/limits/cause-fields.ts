/** The fields of a log line about shared buckets that cannot be used. */
import { BucketsUnavailable } from './buckets.ts';

/** An outage has its cause in words. Only a defect has a stack. */
export const causeFields = (cause: unknown): { cause: string } | { err: unknown } =>
  cause instanceof BucketsUnavailable ? { cause: cause.message } : { err: cause };
