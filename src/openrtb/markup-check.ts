/** The state of one check of markup: the rules of the impression, what was repaired, and the reason to drop the bid. */

/** In the order of their precedence. */
const reasons = ['invalid_native', 'unsafe_markup', 'insecure_markup'] as const;

export type MarkupReason = (typeof reasons)[number];

/** `detail` states the rule, for the partner's engineers: "asset 3: image 299x250 is smaller than 300x250 (required)". */
export interface MarkupProblem {
  reason: MarkupReason;
  detail: string;
}

const maxRepairs = 20;
const noRepairs: readonly string[] = [];

export class MarkupCheck {
  /** Whether images and trackers must be `https`. */
  readonly secure: boolean;
  /** Whether a click may open another app. */
  readonly isApp: boolean;
  #problem: MarkupProblem | undefined;
  #repairs: string[] | undefined;

  constructor(secure: boolean, isApp: boolean) {
    this.secure = secure;
    this.isApp = isApp;
  }

  get problem(): MarkupProblem | undefined {
    return this.#problem;
  }

  /** The first twenty. */
  get repairs(): readonly string[] {
    return this.#repairs ?? noRepairs;
  }

  /** Of several problems, the first one with the reason of the highest precedence is kept. */
  drop(reason: MarkupReason, detail: string): void {
    if (!this.#problem || reasons.indexOf(reason) < reasons.indexOf(this.#problem.reason))
      this.#problem = { reason, detail };
  }

  /** Notes what was removed or cut. */
  repair(detail: string): void {
    const repairs = (this.#repairs ??= []);
    if (repairs.length < maxRepairs) repairs.push(detail);
  }
}
