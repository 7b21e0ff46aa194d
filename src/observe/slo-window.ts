/** Keeps what the histograms said over the last while, so that the targets can be judged over a window. */
import { judgeTargets, type LatencyCounts, type SloReport } from './slo.ts';

export class SloWindow {
  readonly #windowMs: number;
  readonly #seen: LatencyCounts[];

  /** At `startedAtMs` nothing had been counted yet. */
  constructor(windowMs: number, startedAtMs: number) {
    this.#windowMs = windowMs;
    this.#seen = [{ atMs: startedAtMs, requests: 0, byBound: new Map() }];
  }

  add(counts: LatencyCounts): void {
    this.#seen.push(counts);
    while (this.#seen.length > 1 && counts.atMs - this.#seen[1]!.atMs >= this.#windowMs) this.#seen.shift();
  }

  judge(now: LatencyCounts): SloReport {
    return judgeTargets(this.#seen[0]!, now);
  }
}
