/** Asks all partners at once and waits exactly as long as it pays: for all, for the soft budget, or for the deadline. */
import type { Auction, UncheckedBid } from '../demand/adapter.ts';
import type { GiveUp, Partner, Waiter } from '../demand/partner.ts';
import type { PartnerResult } from '../demand/partner-result.ts';
import { checkBid, type DropReason, type ValidBid } from './check-bid.ts';
import type { Deadline } from './deadline.ts';

/** What came of asking one partner. */
export interface PartnerOutcome {
  partner: Partner;
  result: PartnerResult;
  durationMs: number;
  /** How many bids it made, good or bad. */
  offered: number;
  valid: ValidBid[];
  dropped: { reason: DropReason; impid: string }[];
}

/** Calls back once, perhaps before it returns, with an inquiry for each partner, in their order. */
export function collect(
  partners: readonly Partner[],
  auction: Auction,
  deadline: Deadline,
  nowMs: () => number,
  done: (inquiries: PartnerOutcome[]) => void,
): void {
  new Collection(partners, auction, deadline, nowMs, done).start();
}

class Collection {
  readonly #auction: Auction;
  readonly #deadline: Deadline;
  readonly #nowMs: () => number;
  readonly #done: (inquiries: PartnerOutcome[]) => void;
  readonly #partners: readonly Partner[];
  readonly #inquiries: PartnerOutcome[] = [];
  readonly #giveUps: GiveUp[] = [];
  #open: number;
  #hasValid = false;
  #isSoft = false;
  #over = false;
  #timer: NodeJS.Timeout | undefined;
  /** When the next partner is asked: when the one before it ended, or was under way. */
  #askAtMs: number;

  constructor(
    partners: readonly Partner[],
    auction: Auction,
    deadline: Deadline,
    nowMs: () => number,
    done: (inquiries: PartnerOutcome[]) => void,
  ) {
    this.#partners = partners;
    this.#auction = auction;
    this.#deadline = deadline;
    this.#nowMs = nowMs;
    this.#done = done;
    this.#open = partners.length;
    this.#askAtMs = nowMs();
  }

  start(): void {
    for (const partner of this.#partners) this.#ask(partner);
    if (this.#open === 0) return this.#end('late');
    const { hardAtMs, softAtMs } = this.#deadline;
    if (softAtMs < hardAtMs) this.#at(softAtMs, () => this.#soften());
    else this.#at(hardAtMs, () => this.#end('timeout'));
  }

  /** Answers that are in their sockets already go first: a process that was held up itself finds its timer due. */
  #at(timeMs: number, act: () => void): void {
    this.#timer = setTimeout(setImmediate, Math.max(timeMs - this.#nowMs(), 1), act);
  }

  #ask(partner: Partner): void {
    const inquiry = new OpenInquiry(partner, this, this.#askAtMs);
    this.#inquiries.push(inquiry);
    const giveUp = partner.ask(this.#auction, this.#deadline.hardAtMs, inquiry);
    if (!giveUp) return;
    this.#giveUps.push(giveUp);
    this.#askAtMs = this.#nowMs();
  }

  ended(inquiry: OpenInquiry, result: PartnerResult): void {
    inquiry.result = result;
    this.#askAtMs = this.#nowMs();
    inquiry.durationMs = this.#askAtMs - inquiry.askedAtMs;
    this.#open--;
    if (this.#open === 0 && this.#timer) this.#end('late');
  }

  take(inquiry: OpenInquiry, bids: readonly UncheckedBid[]): void {
    inquiry.offered += bids.length;
    for (const bid of bids) {
      const checked = checkBid(bid, this.#auction);
      if (typeof checked === 'string') {
        inquiry.dropped.push({ reason: checked, impid: typeof bid.impid === 'string' ? bid.impid : '' });
      } else inquiry.valid.push(checked);
    }
    if (inquiry.valid.length > 0) this.#hasValid = true;
    if (this.#hasValid && this.#isSoft) this.#end('late');
  }

  #soften(): void {
    this.#isSoft = true;
    if (this.#hasValid) this.#end('late');
    else if (!this.#over) this.#at(this.#deadline.hardAtMs, () => this.#end('timeout'));
  }

  /** Whoever has not answered by now is given up. */
  #end(as: 'timeout' | 'late'): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    for (const giveUp of this.#giveUps) giveUp(as);
    this.#done(this.#inquiries);
  }
}

/** What is known of a partner while it is asked, by its own word. */
class OpenInquiry implements PartnerOutcome, Waiter {
  readonly partner: Partner;
  readonly askedAtMs: number;
  result: PartnerResult = 'skipped';
  durationMs = 0;
  offered = 0;
  readonly valid: ValidBid[] = [];
  readonly dropped: PartnerOutcome['dropped'] = [];
  readonly #collection: Collection;

  constructor(partner: Partner, collection: Collection, askedAtMs: number) {
    this.partner = partner;
    this.#collection = collection;
    this.askedAtMs = askedAtMs;
  }

  offers(bids: readonly UncheckedBid[]): void {
    this.#collection.take(this, bids);
  }

  done(result: PartnerResult): void {
    this.#collection.ended(this, result);
  }
}
