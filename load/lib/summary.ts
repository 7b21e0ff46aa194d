/** What a run hands over at its end, to the file that SUMMARY_FILE names: figures, thresholds and checks. */
import { measuredSeconds, type Pace } from './pace.ts';

export interface Summary {
  rate: number;
  seconds: number;
  /** Thresholds by their text. */
  metrics: Record<string, { values: Record<string, number>; thresholds?: Record<string, { ok: boolean }> }>;
  checks: { name: string; passes: number; fails: number }[];
}

interface K6Summary {
  metrics: Summary['metrics'];
  root_group: { checks: Summary['checks'] };
}

export const summaryOf =
  (pace: Pace) =>
  ({ metrics, root_group: { checks } }: K6Summary): Record<string, string> => {
    const summary: Summary = { rate: pace.rate, seconds: measuredSeconds(pace), metrics, checks };
    return { [__ENV.SUMMARY_FILE || 'stdout']: JSON.stringify(summary, undefined, 2) };
  };
