/** Measures cases against plain messages of the same sizes: all of them briefly, the suspicious ones carefully. */
import { median } from '../bench/statistics.ts';
import type { AuditCase } from './audit-case.ts';
import type { ExchangeUnderAudit } from './exchange-under-audit.ts';
import type { Messages, Sizes } from './messages.ts';
import { preparePlain } from './plain.ts';
import { nextSeed } from './seeded.ts';

export interface Measured {
  part: string;
  value: string;
  sizes: Sizes;
  cpuMs: number;
  plainMs: number;
  ratio: number;
  /** Of the last response; 0 if there was none. */
  status: number;
  isCareful: boolean;
}

/** Above this the case is not repeated. */
const hopelessMs = 500;
/** One request at a time wakes the worker up each time, and the first may compile code. */
const doubtfulRatio = 2;
const carefulRounds = 5;
/** CPU time per round, of both kinds of messages. */
const roundMs = 40;
const maxBatch = 64;

/** Requests sent at once: small ones share the cost of waking the worker up, as they do under load. */
const batchSize = ({ request, bids = 0, products = 0 }: Sizes): number => {
  const bytes = request + bids + products;
  if (bytes < 16_000) return 4;
  return bytes < 64_000 ? 2 : 1;
};

type Build = (seed: string) => Messages;

/** CPU time per request. */
async function measureBatch(exchange: ExchangeUnderAudit, build: Build, requests: number) {
  const { cpuMs, status } = await exchange.measure(Array.from({ length: requests }, () => build(nextSeed())));
  return { cpuMs: cpuMs / requests, status };
}

/** Briefly: one request, and a batch if that one was costly, against what plain messages of that size usually cost. */
export async function screen(exchange: ExchangeUnderAudit, one: AuditCase, plain: PlainCosts): Promise<Measured> {
  const build = one.prepare();
  if (exchange.isCold) await plain.warmUp();
  const plainMs = await plain.of(one.sizes);
  const probe = await measureBatch(exchange, build, 1);
  const isDoubtful = probe.cpuMs > doubtfulRatio * plainMs && probe.cpuMs < hopelessMs;
  const batch = isDoubtful ? await measureBatch(exchange, build, batchSize(one.sizes)) : probe;
  const { status } = batch;
  const cpuMs = Math.min(probe.cpuMs, batch.cpuMs);
  const { part, value, sizes } = one;
  return { part, value, sizes, cpuMs, plainMs, ratio: cpuMs / plainMs, status, isCareful: false };
}

/** Carefully: interleaved rounds, as many requests as take enough CPU time; the ratio is the median of the ratios per round. */
export async function measureCarefully(
  exchange: ExchangeUnderAudit,
  one: AuditCase,
  screened: Measured,
): Promise<Measured> {
  const builds = [one.prepare(), preparePlain(one.sizes)] as const;
  const requests = [screened.cpuMs, screened.plainMs].map((ms) =>
    Math.max(1, Math.min(maxBatch, Math.ceil(roundMs / ms))),
  );
  const rounds: { cpuMs: number; plainMs: number }[] = [];
  let { status } = screened;
  for (let round = 0; round < (screened.cpuMs > hopelessMs ? 2 : carefulRounds); round++) {
    const worst = await measureBatch(exchange, builds[0], requests[0]!);
    await exchange.settle();
    if (exchange.isCold) await new PlainCosts(exchange).warmUp();
    const plain = await measureBatch(exchange, builds[1], requests[1]!);
    rounds.push({ cpuMs: worst.cpuMs, plainMs: plain.cpuMs });
    ({ status } = worst);
  }
  return {
    ...screened,
    cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)),
    plainMs: median(rounds.map(({ plainMs }) => plainMs)),
    ratio: median(rounds.map(({ cpuMs, plainMs }) => cpuMs / plainMs)),
    status,
    isCareful: true,
  };
}

/** What plain messages cost, by size: measured again from time to time, because the machine changes. */
export class PlainCosts {
  readonly #exchange: ExchangeUnderAudit;
  readonly #costs = new Map<string, { ms: number; uses: number }>();

  constructor(exchange: ExchangeUnderAudit) {
    this.#exchange = exchange;
  }

  /** Small and large plain requests, so that the worker has compiled what it uses. On a busy machine some may miss a partner: all must reach them in the end. */
  async warmUp(): Promise<void> {
    for (let attempt = 0; attempt < warmUpAttempts; attempt++) if (await this.#haveAllReachedPartners()) return;
    throw new Error('not every plain request reached the partners');
  }

  async #haveAllReachedPartners(): Promise<boolean> {
    const before = this.#exchange.calls;
    for (const request of [100_000, 4_000]) {
      const build = preparePlain({ request, bids: undefined, products: undefined });
      for (let batch = 0; batch < warmUpBatches; batch++) await measureBatch(this.#exchange, build, 4);
    }
    const { bids, products } = this.#exchange.calls;
    const sent = 2 * warmUpBatches * 4;
    return bids - before.bids >= sent && products - before.products >= sent;
  }

  /** For the nearest sizes in steps of a tenth, adjusted in proportion. */
  async of(sizes: Sizes): Promise<number> {
    const rounded = {
      ...sizes,
      request: inSteps(sizes.request),
      bids: inSteps(sizes.bids),
      products: inSteps(sizes.products),
    };
    const key = JSON.stringify(rounded);
    const known = this.#costs.get(key);
    if (known && known.uses++ < maxUses) return known.ms;
    const build = preparePlain(rounded);
    const results: number[] = [];
    for (let batch = 0; batch < plainBatches; batch++) {
      results.push((await measureBatch(this.#exchange, build, batchSize(rounded))).cpuMs);
    }
    const ms = Math.min(...results);
    this.#costs.set(key, { ms, uses: 0 });
    return ms;
  }
}

const warmUpBatches = 100;
const warmUpAttempts = 5;
const plainBatches = 4;
const maxUses = 200;

/** Down to the next step of a twelfth of a power of two or so: a larger size would make the ratio seem smaller. */
function inSteps<T extends number | undefined>(bytes: T): T {
  if (bytes === undefined) return bytes;
  const step = 2 ** Math.max(9, Math.floor(Math.log2(bytes)) - 3);
  return (Math.floor(bytes / step) * step) as T;
}
