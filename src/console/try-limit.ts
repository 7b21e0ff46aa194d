/** The body limit of the playground. */
import { maxBodyBytes } from '../contract/api-limits.ts';

/** The longest text that the playground sends: a little more than the bidding endpoint takes, so that its own error is shown. */
export const maxTryBytes = maxBodyBytes + 4_096;
