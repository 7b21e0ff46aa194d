/** The latest requests of a worker that the console lists: bounded rings, one per kind, and a bounded rate of new samples. */
import type { AuctionSample } from '../../contract/console-api.ts';
import type { SampleKind } from '../../contract/sample-kind.ts';

interface KindLimits {
  /** New samples per second; requests beyond are not sampled. */
  perSecond: number;
  /** The oldest are dropped beyond this number. */
  kept: number;
}

export const sampleLimits: Readonly<Record<SampleKind, KindLimits>> = {
  error: { perSecond: 100, kept: 400 },
  test: { perSecond: 20, kept: 100 },
  other: { perSecond: 5, kept: 200 },
};

interface Ring {
  samples: AuctionSample[];
  /** Where the next one goes once the ring is full. */
  next: number;
  windowStartMs: number;
  inWindow: number;
}

export class AuctionSamples {
  readonly #nowMs: () => number;
  readonly #rings: Record<SampleKind, Ring> = { error: emptyRing(), test: emptyRing(), other: emptyRing() };

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Whether a request of this kind is sampled now. Build the sample and add it only then. */
  admits(kind: SampleKind): boolean {
    const ring = this.#rings[kind];
    if (ring.inWindow < sampleLimits[kind].perSecond) {
      ring.inWindow++;
      return true;
    }
    const now = this.#nowMs();
    if (now - ring.windowStartMs < 1_000) return false;
    ring.windowStartMs = now;
    ring.inWindow = 1;
    return true;
  }

  add(kind: SampleKind, sample: AuctionSample): void {
    const ring = this.#rings[kind];
    const { kept } = sampleLimits[kind];
    ring.samples[ring.next] = sample;
    ring.next = (ring.next + 1) % kept;
  }

  /** In no order. */
  all(): AuctionSample[] {
    return Object.values(this.#rings).flatMap(({ samples }) => samples);
  }
}

const emptyRing = (): Ring => ({ samples: [], next: 0, windowStartMs: -Infinity, inWindow: 0 });
