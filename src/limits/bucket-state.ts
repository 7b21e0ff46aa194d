/** One token bucket with its leases, by the generic cell rate algorithm (GCRA). Pure: the clock is passed in. */

export interface GcraParams {
  /** Tokens in a full bucket. */
  burst: number;
  /** Time per token. */
  emissionIntervalMicros: number;
  /** Time to fill an empty bucket. */
  burstMicros: number;
}

/** Intervals are whole microseconds, rounded up: the rate is exact if the limit divides a million, else slightly below it. */
export function gcraParams(limit: number): GcraParams {
  const emissionIntervalMicros = Math.ceil(1_000_000 / limit);
  return { burst: limit, emissionIntervalMicros, burstMicros: limit * emissionIntervalMicros };
}

/** A lease ends with the epoch after the one in which it was granted: it lasts one to two epochs. */
export const leaseEpochMicros = 100_000;
/** At most this part of a bucket is on lease. */
const maxLeasedPart = 10;
/** A number has two bytes of seven bits in the arguments of the script. */
export const maxLease = 16_383;

export const epochAt = (nowMicros: number): number => Math.floor(nowMicros / leaseEpochMicros);

/** What is stored of a bucket. */
export interface StoredBucket {
  /** Theoretical arrival time: the microsecond at which the bucket is full, if all tokens on lease are spent. */
  tat: number;
  /** The epoch of the last change. */
  epoch: number;
  /** Tokens on lease that were granted in that epoch and in the one before. */
  current: number;
  previous: number;
}

/** True if no lease can still reduce the tokens: a tenth of a bucket fills in less than four epochs after the leases end. */
export const leasesAreOver = ({ epoch, current, previous }: StoredBucket, nowMicros: number): boolean =>
  current + previous === 0 || epochAt(nowMicros) > epoch + 6;

/** A bucket during a call. */
export class OpenBucket {
  readonly params: GcraParams;
  readonly #nowMicros: number;
  readonly #epoch: number;
  /** 0: full; `burstMicros`: empty. */
  fullInMicros: number;
  #current = 0;
  #previous = 0;
  isChanged = false;

  constructor(stored: StoredBucket | undefined, params: GcraParams, nowMicros: number) {
    this.params = params;
    this.#nowMicros = nowMicros;
    this.#epoch = epochAt(nowMicros);
    this.fullInMicros = stored ? Math.max(this.#readLeases(stored) - nowMicros, 0) : 0;
    // Tokens on lease have no room in the bucket: it refills up to what is not on lease.
    this.fullInMicros = Math.max(this.fullInMicros, this.onLease * params.emissionIntervalMicros);
    if (this.fullInMicros > params.burstMicros) {
      // From a clock that was set back. It is capped, so it costs at most one window.
      this.fullInMicros = params.burstMicros;
      this.isChanged = true;
    }
  }

  /** Tokens that workers hold, as far as they have not reported them spent. */
  get onLease(): number {
    return this.#current + this.#previous;
  }

  get remaining(): number {
    return Math.floor((this.params.burstMicros - this.fullInMicros) / this.params.emissionIntervalMicros);
  }

  /** Until all leases have ended; 0 without leases. */
  get leasesEndInMicros(): number {
    if (this.onLease === 0) return 0;
    return (this.#epoch + (this.#current > 0 ? 2 : 1)) * leaseEpochMicros - this.#nowMicros;
  }

  take(tokens: number): void {
    this.fullInMicros += tokens * this.params.emissionIntervalMicros;
    this.isChanged = true;
  }

  /** The unspent tokens return to the bucket, unless the lease has ended: the room of its tokens may have refilled since. */
  closeLease(epoch: number, tokens: number, unspent: number): void {
    const open = epoch === this.#epoch ? this.#current : epoch === this.#epoch - 1 ? this.#previous : 0;
    const closed = Math.min(tokens, open);
    if (closed === 0) return;
    if (epoch === this.#epoch) this.#current -= closed;
    else this.#previous -= closed;
    this.take(-Math.min(unspent, closed));
  }

  /**
   * All that is wanted or nothing, except that at most a tenth of the bucket is on lease. Nothing if the wanted tokens would take
   * the bucket more than halfway to its middle: leases are over long before the bucket is empty.
   */
  grantLease(wanted: number): number {
    const { burst } = this.params;
    if (2 * wanted > this.remaining - Math.ceil(burst / 2)) return 0;
    const tokens = Math.min(wanted, Math.floor(burst / maxLeasedPart) - this.onLease);
    if (tokens < 1) return 0;
    this.take(tokens);
    this.#current += tokens;
    return tokens;
  }

  toStored(): StoredBucket {
    const tat = this.#nowMicros + this.fullInMicros;
    return { tat, epoch: this.#epoch, current: this.#current, previous: this.#previous };
  }

  /**
   * Returns the TAT, in which leases that have ended count as spent at their end: until then, their tokens had no room in the
   * bucket. Leases of a later epoch are from a clock that was set back: they are moved to this one.
   */
  #readLeases({ tat, epoch, current, previous }: StoredBucket): number {
    if (current + previous === 0) return tat;
    if (epoch >= this.#epoch) {
      this.isChanged = epoch > this.#epoch;
      this.#current = this.isChanged ? current + previous : current;
      this.#previous = this.isChanged ? 0 : previous;
      return tat;
    }
    const { emissionIntervalMicros } = this.params;
    const afterFirst = Math.max(tat, (epoch + 1) * leaseEpochMicros + (current + previous) * emissionIntervalMicros);
    if (epoch === this.#epoch - 1) {
      this.#previous = current;
      return afterFirst;
    }
    return Math.max(afterFirst, (epoch + 2) * leaseEpochMicros + current * emissionIntervalMicros);
  }
}
