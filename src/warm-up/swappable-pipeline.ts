/** The parts of a server that the warm-up replaces: what callers, partners and operators would notice. */
import type { HandleBidRequest } from '../exchange/handle-bid-request.ts';
import type { RequestObserver } from '../http/request-observer.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';

export interface BidPipeline {
  limiter: RateLimiter;
  handleBidRequest: HandleBidRequest;
  observer: RequestObserver;
}

export interface SwappablePipeline {
  /** For the server. */
  pipeline: BidPipeline;
  /** The parts in use. */
  current(): BidPipeline;
  use(pipeline: BidPipeline): void;
}

/** Requests go to `initial` until `use` is called. */
export function createSwappable(initial: BidPipeline): SwappablePipeline {
  let current = initial;
  const observer = { ...initial.observer };
  return {
    pipeline: {
      limiter: {
        decide: (keys) => current.limiter.decide(keys),
        cachedRejection: (keys) => current.limiter.cachedRejection(keys),
      },
      handleBidRequest: (body, arrivedAtMs, origin) => current.handleBidRequest(body, arrivedAtMs, origin),
      observer,
    },
    current: () => current,
    use: (pipeline) => {
      current = pipeline;
      Object.assign(observer, pipeline.observer);
    },
  };
}
