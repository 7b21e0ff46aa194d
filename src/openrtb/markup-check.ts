/** The state of one check of markup: the rules of the impression, what was repaired, and the reason to drop the bid. */

/** In the order of their precedence. */
const reasons = ['invalid_native', 'unsafe_markup', 'insecure_markup'] as const;

export type MarkupReason = (typeof reasons)[number];

/** For the partner's engineers: "asset 3: image 299x250 is smaller than 300x250 (required)". Only reports read it, and to write it takes time. */
export type Detail = () => string;

/** `detail` states the rule. */
export interface MarkupProblem {
  reason: MarkupReason;
  detail: Detail;
}

const maxRepairs = 20;
const noRepairs: readonly Detail[] = [];

export class MarkupCheck {
  /** Whether images and trackers must be `https`. */
  readonly secure: boolean;
  /** Whether a click may open another app. */
  readonly isApp: boolean;
  #problem: MarkupProblem | undefined;
  #repairs: Detail[] | undefined;

  constructor(secure: boolean, isApp: boolean) {
    this.secure = secure;
    this.isApp = isApp;
  }

  get problem(): MarkupProblem | undefined {
    return this.#problem;
  }

  /** The first twenty. */
  get repairs(): readonly Detail[] {
    return this.#repairs ?? noRepairs;
  }

  /** Keeps one problem: the first one with the reason of the highest precedence. */
  drop(reason: MarkupReason, detail: Detail): void {
    if (!this.#problem || reasons.indexOf(reason) < reasons.indexOf(this.#problem.reason))
      this.#problem = { reason, detail };
  }

  /** Notes what was removed or cut. */
  repair(detail: Detail): void {
    const repairs = (this.#repairs ??= []);
    if (repairs.length < maxRepairs) repairs.push(detail);
  }
}
