/** One token bucket with its leases, by the generic cell rate algorithm (GCRA). Pure: the clock is passed in. */

export interface GcraParams {
  /** Tokens in a full bucket. */
  burst: number;
  /** Time per token. */
  emissionIntervalMicros: number;
  /** Time to fill an empty bucket. */
  burstMicros: number;
}

/** Intervals are whole microseconds, rounded up: the rate is exact if the limit divides a million, else below it (docs/limits.md). */
export function gcraParams(limit: number): GcraParams {
  const emissionIntervalMicros = Math.ceil(1_000_000 / limit);
  return { burst: limit, emissionIntervalMicros, burstMicros: limit * emissionIntervalMicros };
}

/** A lease ends with the epoch after the one in which it was granted: it lasts one to two epochs. */
export const leaseEpochMicros = 100_000;
/** At most a tenth of a bucket is on lease. */
const leasableDivisor = 10;
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
  /** How many of these belong to pending charges; absent if none do. */
  pendingCurrent?: number;
  pendingPrevious?: number;
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
  /** Tokens of pending charges, out of those of this epoch and of the previous one. */
  #pendingCurrent = 0;
  #pendingPrevious = 0;
  isChanged = false;

  constructor(stored: StoredBucket | undefined, params: GcraParams, nowMicros: number) {
    this.params = params;
    this.#nowMicros = nowMicros;
    this.#epoch = epochAt(nowMicros);
    this.fullInMicros = stored ? Math.max(this.#readLeases(stored) - nowMicros, 0) : 0;
    // Tokens on lease have no room in the bucket: it refills up to what is not on lease.
    this.fullInMicros = Math.max(this.fullInMicros, this.onLease * params.emissionIntervalMicros);
    if (this.fullInMicros > params.burstMicros) {
      // From a clock that was set back. It is capped, so it costs at most the time to fill the bucket.
      this.fullInMicros = params.burstMicros;
      this.isChanged = true;
    }
  }

  /** Tokens that workers hold, as far as they have not reported them spent; those of pending charges too. */
  get onLease(): number {
    return this.#current + this.#previous;
  }

  /** True if workers hold tokens that they may return unspent. A pending charge counts as a charge: its request is decided right now. */
  get hasLeases(): boolean {
    return this.onLease > this.#pendingCurrent + this.#pendingPrevious;
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

  /** Takes a token that a later call keeps or refunds. Until then, it has no room in the bucket, as if it were on lease. */
  takePending(): void {
    this.take(1);
    this.#current++;
    this.#pendingCurrent++;
  }

  /** Ends pending charges, of which `refunded` return to the bucket. After the end of the epoch after their own, they stay charged. */
  settlePending(epoch: number, tokens: number, refunded: number): void {
    const isCurrent = epoch === this.#epoch;
    const open = isCurrent ? this.#pendingCurrent : epoch === this.#epoch - 1 ? this.#pendingPrevious : 0;
    const settled = Math.min(tokens, open);
    if (settled === 0) return;
    if (isCurrent) this.#pendingCurrent -= settled;
    else this.#pendingPrevious -= settled;
    this.#close(isCurrent, settled, refunded);
  }

  /** The unspent tokens return to the bucket, unless the lease has ended: the room of its tokens may have refilled since. */
  closeLease(epoch: number, tokens: number, unspent: number): void {
    const isCurrent = epoch === this.#epoch;
    let open = 0;
    if (isCurrent) open = this.#current - this.#pendingCurrent;
    else if (epoch === this.#epoch - 1) open = this.#previous - this.#pendingPrevious;
    const closed = Math.min(tokens, open);
    if (closed > 0) this.#close(isCurrent, closed, unspent);
  }

  #close(isCurrent: boolean, tokens: number, unspent: number): void {
    if (isCurrent) this.#current -= tokens;
    else this.#previous -= tokens;
    this.take(-Math.min(unspent, tokens));
  }

  /**
   * All that is wanted or nothing, except that at most a tenth of the bucket is on lease. Nothing if the wanted tokens would take
   * the bucket more than halfway to its middle: leases are over long before the bucket is empty.
   */
  grantLease(wanted: number): number {
    const { burst } = this.params;
    if (2 * wanted > this.remaining - Math.ceil(burst / 2)) return 0;
    const tokens = Math.min(wanted, Math.floor(burst / leasableDivisor) - this.onLease);
    if (tokens < 1) return 0;
    this.take(tokens);
    this.#current += tokens;
    return tokens;
  }

  toStored(): StoredBucket {
    const tat = this.#nowMicros + this.fullInMicros;
    const stored = { tat, epoch: this.#epoch, current: this.#current, previous: this.#previous };
    if (this.#pendingCurrent + this.#pendingPrevious === 0) return stored;
    return { ...stored, pendingCurrent: this.#pendingCurrent, pendingPrevious: this.#pendingPrevious };
  }

  /**
   * Returns the TAT, in which leases that have ended count as spent at their end: until then, their tokens had no room in the
   * bucket. Leases of a later epoch are from a clock that was set back: they are moved to this one.
   */
  #readLeases({ tat, epoch, current, previous, pendingCurrent = 0, pendingPrevious = 0 }: StoredBucket): number {
    if (current + previous === 0) return tat;
    if (epoch >= this.#epoch) {
      this.isChanged = epoch > this.#epoch;
      this.#current = this.isChanged ? current + previous : current;
      this.#previous = this.isChanged ? 0 : previous;
      this.#pendingCurrent = this.isChanged ? pendingCurrent + pendingPrevious : pendingCurrent;
      this.#pendingPrevious = this.isChanged ? 0 : pendingPrevious;
      return tat;
    }
    const { emissionIntervalMicros } = this.params;
    const afterFirst = Math.max(tat, (epoch + 1) * leaseEpochMicros + (current + previous) * emissionIntervalMicros);
    if (epoch === this.#epoch - 1) {
      this.#previous = current;
      this.#pendingPrevious = pendingCurrent;
      return afterFirst;
    }
    return Math.max(afterFirst, (epoch + 2) * leaseEpochMicros + current * emissionIntervalMicros);
  }
}
