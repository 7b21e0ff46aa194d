/** What the chunks of request bodies take: node:http parses them before anyone could make their request wait. */
import type { IncomingMessage } from 'node:http';
import { RecentSums } from '../overload/recent-sums.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { Admission } from './admission.ts';
import { isChunked } from './chunk-count.ts';
import { addressKey, type ReadAddress } from './client-address.ts';

/** What node:http takes to report a chunk, whatever its size, in milliseconds. It does so before anyone can measure it. */
const chunkMs = 0.004;
/** Of the last second. Ordinary bodies have a few chunks, for which nothing is charged. */
const costlyMs = 20;

/** The parts of the pacer that it uses. */
export type ChunkTurns = Pick<Pacer, 'charge' | 'isBusy'>;

export interface ChunkUsageParts {
  admission: Pick<Admission, 'usage' | 'clock'>;
  pacer: ChunkTurns;
  readAddress: ReadAddress;
}

export class ChunkUsage {
  readonly #parts: ChunkUsageParts;
  readonly #usedMs = new RecentSums();

  constructor(parts: ChunkUsageParts) {
    this.#parts = parts;
  }

  /** So many chunks of the request's body were parsed. */
  charge(request: IncomingMessage, chunks: number): void {
    const { admission, pacer, readAddress } = this.#parts;
    const nowMs = admission.clock.nowMs();
    const tookMs = chunks * chunkMs;
    this.#usedMs.add(readAddress(request), tookMs, nowMs);
    admission.usage.charge(addressKey(request.socket.remoteAddress), tookMs, nowMs);
    pacer.charge(tookMs);
  }

  /** Whether the chunks of a request are not to be parsed: those of its client have taken much, and large work waits. */
  isCostly(request: IncomingMessage): boolean {
    const { admission, pacer, readAddress } = this.#parts;
    if (!pacer.isBusy || !isChunked(request.headers)) return false;
    return (this.#usedMs.of(readAddress(request), admission.clock.nowMs()) ?? 0) > costlyMs;
  }
}
