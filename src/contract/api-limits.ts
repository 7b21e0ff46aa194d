/** Limits of the API that several layers enforce or mention. */

/** The body of a bid request, before and after decompression. */
export const maxBodyBytes = 256 * 1024;

/** The reason of a larger body. */
export const bodyTooLarge = `the body must be at most ${maxBodyBytes / 1024} KiB (${maxBodyBytes} bytes)`;

/** The longest text that the playground of the console sends: a little more, so that the error of the bidding endpoint is shown. */
export const maxTryBytes = maxBodyBytes + 4_096;

/** Ids of requests and of impressions, in characters. */
export const maxIdLength = 64;

/** The errors of one request that test mode reports: enough to correct a request; more would only take time. */
export const maxReportedErrors = 100;

/** In characters. */
export const maxPublisherIdLength = 128;

/** Ids that callers choose are cut to this length where they are logged or counted. */
export const maxLoggedIdLength = 64;
