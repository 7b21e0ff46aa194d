/** A batch divided among the slots of its buckets, and the decisions of the slots put together. Pure. */
import { crc32 } from 'node:zlib';
import { BatchBuilder } from './batch-builder.ts';
import { type BucketRef, isAddressName, type Kind, kinds } from './bucket-refs.ts';
import { epochAt } from './bucket-state.ts';
import {
  type BatchDecision,
  type BucketBatch,
  type Decision,
  decodeDecision,
  isAdmission,
  isRejection,
  isTighter,
  leaseFields,
} from './buckets.ts';

/** Not decided: the request is sent again after a millisecond. */
const undecided: Decision = -1_000;

/** What one slot gets of a batch. */
export interface Part {
  slot: number;
  builder: BatchBuilder;
  /** Positions in the whole batch. */
  requests: number[];
  leases: number[];
  reply?: BatchDecision;
}

const hotSlot = -1;

/** The slot of an address bucket. */
export const slotOf = (name: string, slots: number): number => crc32(name) % slots;

export class SplitBatch {
  readonly #batch: BucketBatch;
  readonly #slotCount: number;
  readonly #parts = new Map<number, Part>();
  readonly #requestCount: number;
  /** The decisions of the address buckets, by request. */
  readonly #byAddress: (Decision | undefined)[] = [];
  #hot: Part | undefined;
  /** True if a request has buckets in two slots. */
  readonly hasPending: boolean;

  constructor(batch: BucketBatch, slotCount: number) {
    this.#batch = batch;
    this.#slotCount = slotCount;
    this.#requestCount = batch.requests.length / kinds.length;
    const hasAddress = this.#requests((request) => this.#position(request, 'ip') > 0);
    const pending = hasAddress.filter((request) => this.#isHot(request));
    this.hasPending = pending.length > 0;
    for (const request of pending) this.#addAddress(request).builder.addPendingRequest([this.#ref(request, 'ip')!]);
    for (const request of hasAddress) {
      if (!this.#isHot(request)) this.#addAddress(request).builder.addRequest([this.#ref(request, 'ip')!]);
    }
    this.#addLeases((name) => isAddressName(name));
  }

  get slots(): Part[] {
    return [...this.#parts.values()].filter(({ slot }) => slot !== hotSlot);
  }

  /** The part of the hot slot, without requests that their address has not admitted. Undefined if it has nothing to do. */
  addHot(): Part | undefined {
    this.#readAddresses();
    for (const request of this.#requests((one) => this.#isHot(one))) {
      const byAddress = this.#byAddress[request];
      if (byAddress !== undefined && !isAdmission(byAddress)) continue;
      const refs = kinds.slice(1).map((kind) => this.#ref(request, kind));
      const part = this.#part(hotSlot);
      part.requests.push(request);
      part.builder.addRequest(refs.filter((ref) => ref !== undefined));
    }
    this.#addLeases((name) => !isAddressName(name));
    if (this.#parts.size === 0) this.#part(hotSlot); // an empty batch: the reply has a clock
    return (this.#hot = this.#parts.get(hotSlot));
  }

  /** When all parts have their reply. */
  merge(): BatchDecision {
    this.#readAddresses();
    const decisions = [...this.#byAddress];
    const refused = new Map<number, number>();
    for (const [at, request] of (this.#hot?.requests ?? []).entries()) {
      const decision = this.#hot!.reply!.decisions[at]!;
      const byAddress = decisions[request];
      const isAddressTighter = byAddress !== undefined && isAdmission(decision) && isTighter(byAddress, decision);
      if (!isAddressTighter) decisions[request] = decision;
      if (byAddress !== undefined && !isAdmission(decision)) refused.set(this.#position(request, 'ip'), request);
    }
    const settled = decisions.map((decision, request) => this.#reconsider(decision!, request, refused, decisions));
    const nowMicros = (this.#hot ?? this.slots[0]!).reply!.nowMicros;
    return { nowMicros, decisions: settled, ...this.#grants() };
  }

  /** Batches that settle the pending charges. Those of slots without a reply are unknown. */
  settlements(isKept: (request: number) => boolean): { slot: number; batch: BucketBatch }[] {
    const batches: { slot: number; batch: BucketBatch }[] = [];
    for (const { slot, requests, reply } of this.slots) {
      const charges = new Map<string, { ref: BucketRef; tokens: number; refunded: number }>();
      for (const [at, request] of requests.entries()) {
        if (!reply || !this.#isHot(request) || !isAdmission(reply.decisions[at]!)) continue;
        const ref = this.#ref(request, 'ip')!;
        const charge = charges.get(ref.name) ?? { ref, tokens: 0, refunded: 0 };
        charges.set(ref.name, charge);
        charge.tokens++;
        if (!isKept(request)) charge.refunded++;
      }
      if (charges.size === 0) continue;
      const builder = new BatchBuilder(this.#batch.limits[0]!);
      for (const { ref, tokens, refunded } of charges.values()) {
        builder.addSettlement(ref, epochAt(reply!.nowMicros), tokens, refunded);
      }
      batches.push({ slot, batch: builder.batch });
    }
    return batches;
  }

  /**
   * A request that its address rejected only because a pending charge had the token, which is refunded now. If the bucket that refused
   * the other request is also one of its own, it is rejected by that; else it is sent again.
   */
  #reconsider(
    decision: Decision,
    request: number,
    refused: ReadonlyMap<number, number>,
    decisions: readonly (Decision | undefined)[],
  ): Decision {
    const other = refused.get(this.#position(request, 'ip'));
    const byAddress = this.#byAddress[request];
    if (other === undefined || byAddress === undefined || !isRejection(byAddress)) return decision;
    const refusal = decisions[other]!;
    if (!isRejection(refusal)) return undecided;
    const { kind } = decodeDecision(refusal);
    return this.#position(request, kind) === this.#position(other, kind) ? refusal : undecided;
  }

  #readAddresses(): void {
    for (const { requests, reply } of this.slots) {
      if (reply) for (const [at, request] of requests.entries()) this.#byAddress[request] = reply.decisions[at]!;
    }
    this.#byAddress.length = this.#requestCount;
  }

  #grants(): Pick<BatchDecision, 'grants' | 'grantClocks'> {
    const grants: number[] = [];
    const grantClocks: number[] = [];
    for (const { leases, reply } of this.#parts.values()) {
      for (const [at, lease] of leases.entries()) {
        grants[2 * lease] = reply!.grants[2 * at]!;
        grants[2 * lease + 1] = reply!.grants[2 * at + 1]!;
        grantClocks[lease] = reply!.nowMicros;
      }
    }
    return { grants, grantClocks };
  }

  #addAddress(request: number): Part {
    const part = this.#part(slotOf(this.#ref(request, 'ip')!.name, this.#slotCount));
    part.requests.push(request);
    return part;
  }

  #addLeases(isWanted: (name: string) => boolean): void {
    const { leases, names, limits } = this.#batch;
    for (let at = 0; at < leases.length; at += leaseFields) {
      const [position, epoch, taken, unspent, wanted] = leases.slice(at, at + leaseFields);
      const name = names[position! - 1]!;
      if (!isWanted(name)) continue;
      const isAddress = isAddressName(name);
      const part = this.#part(isAddress ? slotOf(name, this.#slotCount) : hotSlot);
      part.leases.push(at / leaseFields);
      const ref: BucketRef = { kind: isAddress ? 'ip' : 'global', name, limit: limits[position! - 1]! };
      part.builder.addLease(ref, epoch!, taken!, unspent!, wanted!);
    }
  }

  #part(slot: number): Part {
    let part = this.#parts.get(slot);
    if (!part) {
      // The global bucket is in every slot the first of a batch; only the one of the hot slot is charged.
      part = { slot, builder: new BatchBuilder(this.#batch.limits[0]!), requests: [], leases: [] };
      this.#parts.set(slot, part);
    }
    return part;
  }

  #requests(isWanted: (request: number) => boolean): number[] {
    return Array.from({ length: this.#requestCount }, (_, request) => request).filter(isWanted);
  }

  #isHot(request: number): boolean {
    return kinds.some((kind) => kind !== 'ip' && this.#position(request, kind) > 0);
  }

  #position(request: number, kind: Kind): number {
    return this.#batch.requests[request * kinds.length + kinds.indexOf(kind)]!;
  }

  #ref(request: number, kind: Kind): BucketRef | undefined {
    const position = this.#position(request, kind);
    const { names, limits } = this.#batch;
    return position > 0 ? { kind, name: names[position - 1]!, limit: limits[position - 1]! } : undefined;
  }
}
