/** What the bidding endpoint takes. */
export const maxBodyBytes = 256 * 1_024;

/** The longest text that the playground sends: a little more than the bidding endpoint takes, so that its own error is shown. */
export const maxTryBytes = maxBodyBytes + 4_096;

/** For a longer text, in the words of the bidding endpoint. */
export const tryTooLarge = 'the body must be at most 256 KiB (262144 bytes)';
