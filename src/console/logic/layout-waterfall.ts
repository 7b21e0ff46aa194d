/** Places the bars of an auction's waterfall on a time scale, in percent of its width. */
import type { AuctionPartner } from '../../contract/console-api.ts';

export interface Waterfall {
  endMs: number;
  bars: Bar[];
  marks: { label: string; ms: number; left: number }[];
}

export interface Bar {
  partner: AuctionPartner;
  /** A partner that was not called has no duration and no bar to show. */
  wasCalled: boolean;
  left: number;
  width: number;
  /** Where the partner's own deadline is; undefined if it has none. */
  deadlineLeft: number | undefined;
}

const uncalledOutcomes: ReadonlySet<string> = new Set(['skipped', 'excluded']);
/** A bar is never narrower, so that a call of microseconds can be seen. */
const minWidth = 0.5;

export function layoutWaterfall(
  partners: AuctionPartner[],
  softDeadlineMs: number | null,
  hardDeadlineMs: number | null,
): Waterfall {
  const ends = partners.map(({ startMs, durationMs }) => startMs + durationMs);
  const endMs = Math.max(1, ...ends, softDeadlineMs ?? 0, hardDeadlineMs ?? 0) * 1.02;
  const toPercent = (ms: number) => Math.min(100, (ms / endMs) * 100);
  const marks = [
    { label: 'soft deadline', ms: softDeadlineMs },
    { label: 'hard deadline', ms: hardDeadlineMs },
  ].flatMap(({ label, ms }) => (ms === null ? [] : [{ label, ms, left: toPercent(ms) }]));
  const bars = partners.map((partner) => ({
    partner,
    wasCalled: !uncalledOutcomes.has(partner.outcome),
    left: Math.min(toPercent(partner.startMs), 100 - minWidth),
    width: Math.max(minWidth, toPercent(partner.durationMs)),
    deadlineLeft: partner.deadlineMs === undefined ? undefined : toPercent(partner.startMs + partner.deadlineMs),
  }));
  return { endMs, bars, marks };
}
