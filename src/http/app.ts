/** The Express application: the middleware of a request, in order. */
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { HandleBidRequest } from '../exchange/handle-bid-request.ts';
import type { Outcome } from '../exchange/outcome.ts';
import type { RateLimiter, RateLimitKeys, RateLimitResult } from '../limits/rate-limiter.ts';
import { describeValue } from '../json/describe-value.ts';
import type { Turns } from '../pacing/pacer.ts';
import type { PublisherDirectory } from '../publishers/publisher-directory.ts';
import type { Tracer } from '../trace/tracer.ts';
import type { Admission } from './admission.ts';
import { createReadAddress, type IsTrusted, isTrustedBy } from './client-address.ts';
import { clientClosed, hasLeft } from './client-closed.ts';
import { plausibleMs } from './client-cost.ts';
import { concurrencyLimit, ConcurrencyLimiter, type ConcurrencyLimits, type Slot } from './concurrency-limiter.ts';
import { failed } from './http-errors.ts';
import { discardAnyBody, discardBody } from './discard-body.ts';
import { PublisherAccess } from './publisher-access.ts';
import { rateLimit } from './rate-limit.ts';
import { isChunked } from './chunked-body.ts';
import { wasBodyDropped } from './drop-body.ts';
import { readBody } from './read-body.ts';
import type { BodyLimits } from './receive-body.ts';
import { type ReadClient, type RequestContext, requestContext } from './request-context.ts';
import type { RequestObserver } from './request-observer.ts';
import { respond } from './respond.ts';
import { type UnreadLimits, UnreadResponses } from './unread-responses.ts';

export interface AppParts {
  limiter: RateLimiter;
  handleBidRequest: HandleBidRequest;
  /** Undefined without a publishers file. */
  publishers?: PublisherDirectory | undefined;
  trustProxy: string | number;
  body: BodyLimits;
  concurrency: ConcurrencyLimits;
  unread: UnreadLimits;
  pacer: Turns;
  admission: Admission;
  observer: RequestObserver;
  /** An exception that the observer does not report. */
  onDefect: (defect: unknown, requestId: string) => void;
  /** Undefined if tracing is off. */
  tracer?: Tracer | undefined;
  /** While the worker drains, each connection closes after its response. */
  isDraining: () => boolean;
}

/** Ends a request: responds, then records metrics and the log line. */
export type Finish = (request: Request, response: Response, outcome: Outcome, defect?: unknown) => void;

export function createApp(parts: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', parts.trustProxy);

  const concurrency = new ConcurrencyLimiter(parts.concurrency);
  const finish = createFinish(parts, concurrency);
  const { access, readClient } = createClientReader(isTrustedBy(app), parts.publishers);
  const context = requestContext(parts.limiter, readClient, parts.admission, parts.tracer);
  const limitRate = rateLimit(parts.limiter, finish, access);

  app.post(
    '/openrtb2',
    context,
    concurrencyLimit(concurrency),
    readBody(parts.body, concurrency, parts.pacer, parts.admission),
    limitRate,
    bid(parts, finish),
  );
  app.use(context, discardAnyBody, limitRate, rejectHead(finish));
  app.all('/openrtb2', (request, response) =>
    finish(request, response, failed('http.method', `got ${describeValue(request.method)}`)),
  );
  app.use((request, response) =>
    finish(request, response, failed('http.notFound', `got ${describeValue(withoutQuery(request.originalUrl))}`)),
  );
  app.use(handleDefect(parts, finish), handleSecondDefect(parts));
  useKnownAddress(app);
  return app;
}

/** Without a publishers file there is no access to check, and the client is only its address. */
function createClientReader(
  isTrusted: IsTrusted,
  publishers: PublisherDirectory | undefined,
): { access: PublisherAccess | undefined; readClient: ReadClient } {
  if (publishers) {
    const readWholeAddress = createReadAddress(isTrusted, (address) => address);
    const access = new PublisherAccess(publishers, readWholeAddress);
    return { access, readClient: (request, context) => access.readClient(request, context) };
  }
  const readAddress = createReadAddress(isTrusted);
  return {
    access: undefined,
    readClient: (request, { rateLimitKeys }) => {
      rateLimitKeys.ip = readAddress(request);
    },
  };
}

const withoutQuery = (target: string): string => target.split('?', 1)[0]!;

/** A request that `requestContext` found malformed gets its error on every path. */
const rejectHead =
  (finish: Finish): RequestHandler =>
  (request, response, next) => {
    const { body } = request.context;
    if (body && 'error' in body) finish(request, response, failed(body.error, body.detail));
    else next();
  };

const bid =
  ({ handleBidRequest, observer, pacer, admission }: AppParts, finish: Finish): RequestHandler =>
  async (request, response) => {
    const { context } = request;
    const { body, arrivedAtMs, isPaced, rateLimitKeys, requestId, trace, unauthorized } = context;
    endAdmission(context, admission);
    if (!body || hasLeft(request)) return finish(request, response, clientClosed);
    observer.admitted(request);
    if (unauthorized) return finish(request, response, unauthorized.outcome);
    if ('error' in body) return finish(request, response, failed(body.error, body.detail));
    if (isPaced && !(await pacer.turn(rateLimitKeys.ip))) return finish(request, response, failed('server.costly'));
    if (isPaced && hasLeft(request)) return finish(request, response, clientClosed);
    const { costClock } = context.slot!;
    const costBefore = costClock();
    const outcome = handleBidRequest(body.value, arrivedAtMs, { trace, requestId, client: rateLimitKeys.ip });
    context.costMs += costClock() - costBefore; // until it waits for partners
    finish(request, response, await outcome);
  };

function createFinish({ observer, isDraining, unread, admission }: AppParts, concurrency: ConcurrencyLimiter): Finish {
  const unreadResponses = new UnreadResponses(unread, (reason) => observer.responseCut(reason));
  return (request, response, outcome, defect) => {
    const { context } = request;
    const { slot } = context;
    const startedAtMs = performance.now();
    const costBefore = slot?.costClock() ?? 0;
    if (slot) concurrency.release(slot);
    endAdmission(context, admission);
    if (hasLeft(request)) {
      if (request.complete) admission.control.leave();
      const isOwn = defect !== undefined || outcome.kind === 'refused';
      observer.finished(request, response, { outcome: isOwn ? outcome : clientClosed, startedAtMs, defect });
      if (slot && context.costMs > 0) chargeClient(context, slot, outcome, admission);
      return context.forgetBody();
    }
    if (isDraining() || wasBodyDropped(response) || isFaulty(request)) response.shouldKeepAlive = false;
    if (!request.complete) discardBody(request);
    respond(response, context, outcome);
    unreadResponses.watch(response);
    observer.finished(request, response, { outcome, startedAtMs, defect });
    context.forgetBody();
    if (!slot) return;
    context.costMs += slot.costClock() - costBefore;
    chargeClient(context, slot, outcome, admission);
  };
}

/** HTTP/1.0 has no transfer codings: what follows the body may be something else to a proxy (RFC 9112, section 6.1). */
const isFaulty = (request: Request): boolean => request.httpVersion === '1.0' && isChunked(request);

/** Also if the client has left: what its request took counts, whether or not there is anyone to respond to. A request without a turn does not say what those of its client cost. */
function chargeClient(context: RequestContext, slot: Slot, outcome: Outcome, { usage, clock }: Admission): void {
  const { costMs, connectionAddress } = context;
  const hadTurn = !('error' in outcome && outcome.error.name === 'server.costly');
  if (hadTurn) slot.client.cost.charge(slot.costClock, costMs);
  usage.charge(connectionAddress, plausibleMs(slot.costClock, costMs), clock.nowMs());
}

/** Has no effect the second time. */
function endAdmission(context: RequestContext, { control, clock }: Admission): void {
  const { inProgressSince, arrivedAtMs, startedAtMs } = context;
  if (!inProgressSince) return;
  const { startMs } = inProgressSince;
  // A body that is read in the turn of its headers has waited with them.
  const heldMs = startMs > startedAtMs ? startedAtMs - arrivedAtMs : 0;
  const waitedMs = clock.waitedSince(inProgressSince);
  control.end(clock.nowMs() - startMs - waitedMs, heldMs, waitedMs);
  context.inProgressSince = undefined;
}

/** An exception anywhere above is a defect: one 500 that reveals nothing, one log line with the stack, one count. */
const handleDefect =
  ({ limiter, observer, onDefect }: AppParts, finish: Finish): ErrorRequestHandler =>
  async (defect, request, response, _next) => {
    const { context } = request;
    context.rateLimit ??= await tryToDecide(limiter, context.rateLimitKeys); // charged like any other request
    const outcome = failed('server.defect');
    if (!response.headersSent) return finish(request, response, outcome, defect);
    if (!response.writableEnded) response.destroy(); // the client must not take half a response for a whole one
    if (context.isObserved) onDefect(defect, context.requestId);
    else observer.finished(request, response, { outcome, startedAtMs: performance.now(), defect });
  };

async function tryToDecide(limiter: RateLimiter, keys: RateLimitKeys): Promise<RateLimitResult | undefined> {
  try {
    return await limiter.decide(keys);
  } catch {
    return undefined; // the limiter itself is the defect: the response has no rate-limit headers
  }
}

/** A defect in the handling of a defect. Express would send its stack. */
const handleSecondDefect =
  ({ onDefect }: AppParts): ErrorRequestHandler =>
  (defect, request, response, _next) => {
    onDefect(defect, request.context.requestId);
    if (!response.headersSent) respond(response, request.context, failed('server.defect'));
    else if (!response.writableEnded) response.destroy();
  };

/** express-rate-limit reads `request.ip` for a debug message; Express would compute it again. */
function useKnownAddress(app: Express): void {
  Object.defineProperty(app.request, 'ip', {
    get(this: Request) {
      return this.context.rateLimitKeys.ip;
    },
  });
}
