/** What the outcome of a call to a partner means. */

export const outcomeMeanings: Record<string, string> = {
  no_bid: 'It responded without a bid. Bidders give no reason.',
  timeout: 'Its timeout or the hard deadline passed before it responded.',
  late: 'The auction ended before it responded.',
  error: 'The connection failed, or the response had a status other than 200 and 204.',
  invalid: 'The response cannot be used.',
  excluded: 'It was not called: the settings of the publisher exclude it.',
  skipped: 'It was not called: its circuit breaker is open, or it has reached a limit.',
};
