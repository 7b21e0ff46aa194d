/** The thresholds of every run: latency of live bid requests, answers as expected, requests sent when they were due. */

const live = 'http_req_duration{phase:measured,traffic:live}';
const latencyTargets = ['p(50)<50', 'p(95)<100', 'p(99)<200'];

/** Counted in the results; a status that is wrong for its request fails a check. */
const countedStatuses = [0, 200, 204, 400, 404, 405, 408, 413, 429, 500, 503];

/**
 * `planned` is how many requests are to be sent, of which one in a hundred may go unsent.
 * k6 keeps figures by tag only where there is a threshold: those on counts always hold.
 */
export function thresholds(planned: number, latency: readonly string[] = latencyTargets): Record<string, string[]> {
  const counts = countedStatuses.map((status) => [`http_reqs{phase:measured,status:${status}}`, ['count>=0']]);
  return {
    [live]: [...latency],
    checks: ['rate>0.999'],
    dropped_iterations: [`count<=${Math.ceil(planned / 100)}`],
    'http_reqs{phase:measured}': ['count>0'],
    ...Object.fromEntries(counts),
  };
}

/** Without the two lower percentiles, where partners are slower than those by design. */
export const slowLatencyTargets = latencyTargets.slice(-1);
