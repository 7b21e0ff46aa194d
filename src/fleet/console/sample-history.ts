/** The samples of the last 15 minutes, as JSON texts within a bound. */
import type { History, LiveSample } from '../../contract/console-api.ts';
import { targets } from '../../observe/slo.ts';
import { Asset } from './assets.ts';

export interface HistoryLimits {
  samples: number;
  /** Beyond it the oldest samples lose their partners. Eight million characters hold 15 minutes of about 30 partners. */
  characters: number;
}

export const defaultLimits: HistoryLimits = { samples: 900, characters: 8_000_000 };

const targetsMs: History['targetsMs'] = { p50: targets.p50Ms, p95: targets.p95Ms, p99: targets.p99Ms };

export class SampleHistory {
  readonly #limits: HistoryLimits;
  /** Oldest first. */
  readonly #texts: string[] = [];
  #characters = 0;
  /** How many of the first texts have no partners. */
  #reduced = 0;
  #asset: Asset | undefined;

  constructor(limits: HistoryLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** Returns the text of the sample. */
  add(sample: LiveSample): string {
    const text = JSON.stringify(sample);
    this.#asset = undefined;
    this.#texts.push(text);
    this.#characters += text.length;
    if (this.#texts.length > this.#limits.samples) {
      this.#characters -= this.#texts.shift()!.length;
      this.#reduced = Math.max(0, this.#reduced - 1);
    }
    while (this.#characters > this.#limits.characters && this.#reduced < this.#texts.length) this.#reduceOldest();
    return text;
  }

  /** For `GET /console/api/history`. All clients within one second share its bytes. */
  get asset(): Asset {
    const targets = JSON.stringify(targetsMs);
    const encode = () => Buffer.from(`{"targetsMs":${targets},"samples":[${this.#texts.join(',')}]}`);
    return (this.#asset ??= new Asset('history.json', encode(), 1));
  }

  #reduceOldest(): void {
    const text = this.#texts[this.#reduced]!;
    const reduced = JSON.stringify({ ...(JSON.parse(text) as LiveSample), partners: [] });
    this.#characters -= text.length - reduced.length;
    this.#texts[this.#reduced++] = reduced;
  }
}
