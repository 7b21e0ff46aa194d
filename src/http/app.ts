/** The way of a request through Express: a table of contents. */
import { randomUUID } from 'node:crypto';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { HandleBidRequest } from '../exchange/handle-bid-request.ts';
import type { Outcome } from '../exchange/outcome.ts';
import { failed } from './http-errors.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { admit } from './rate-limit.ts';
import { createReadAddress, type ReadAddress } from './client-address.ts';
import { ConcurrencyLimiter, type ConcurrencyLimits } from './concurrency-limiter.ts';
import { type BodyReading, readBody, type ReadingLimits } from './read-body.ts';
import type { RequestObserver } from './request-observer.ts';
import { respond } from './respond.ts';
import { RequestContext } from './request-context.ts';

export interface AppParts {
  limiter: RateLimiter;
  handleBidRequest: HandleBidRequest;
  trustProxy: string | number;
  reading: ReadingLimits;
  load: ConcurrencyLimits;
  observer: RequestObserver;
  /** While it drains, each connection closes after its answer. */
  isDraining: () => boolean;
}

export function createApp(parts: AppParts): Express {
  const { limiter, handleBidRequest, observer, isDraining } = parts;
  const conclude = (request: Request, response: Response, outcome: Outcome, thrown?: unknown) => {
    if (isDraining()) response.shouldKeepAlive = false;
    const concludedAtMs = performance.now();
    respond(response, request.context, outcome);
    observer.concluded(request, response, { outcome, concludedAtMs, thrown });
  };
  const bid: RequestHandler = (request, response) => {
    observer.admitted(request);
    const { body, arrivedAtMs } = request.context;
    if ('error' in body!) conclude(request, response, failed(body.error, body.detail));
    else handleBidRequest(body!.value, arrivedAtMs, (outcome) => conclude(request, response, outcome));
  };

  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', parts.trustProxy);
  const readAddress = createReadAddress(app.get('trust proxy fn') as Parameters<typeof createReadAddress>[0]);
  showAddress(app);

  const admitted = admit(limiter, conclude);
  const identified = identify(limiter, readAddress);
  app.post('/openrtb2', identified, read(parts.reading, new ConcurrencyLimiter(parts.load)), admitted, bid);
  app.use(identified, admitted);
  app.all('/openrtb2', (request, response) => conclude(request, response, failed('http.method')));
  app.use((request, response) => conclude(request, response, failed('http.notFound')));
  app.use(recover(conclude));
  return app;
}

/** express-rate-limit looks at `request.ip` for a debugging line; Express would work it out anew. */
function showAddress(app: Express): void {
  Object.defineProperty(app.request, 'ip', {
    get(this: Request) {
      return this.context.rateLimitKeys.ip;
    },
  });
}

const identify =
  (limiter: RateLimiter, readAddress: ReadAddress): RequestHandler =>
  (request, _response, next) => {
    const context = new RequestContext(randomUUID(), performance.now());
    request.context = context; // before all else: whatever comes, the answer has an id
    context.rateLimitKeys.ip = readAddress(request);
    context.rateLimit = limiter.cachedRejection(context.rateLimitKeys);
    next();
  };

/** Reads the body and goes on whatever came of it: a limit is judged before anything else is answered. */
const read =
  (limits: ReadingLimits, gate: ConcurrencyLimiter): RequestHandler =>
  (request, response, next) => {
    const { context } = request;
    if (context.rateLimit) return next(); // known to be refused: its body need not be read
    const proceed = (reading: BodyReading) => {
      context.body = reading;
      context.readAtMs = performance.now();
      next();
    };
    const place = gate.enter(context.rateLimitKeys.ip, response);
    if (!place) return proceed({ error: 'server.unavailable' });
    const goOn = () => {
      if (request.headers.expect !== undefined) response.writeContinue();
    };
    readBody(request, limits, goOn, (reading) => {
      proceed(gate.handle(place) ? reading : { error: 'server.unavailable' });
    });
  };

/** Exceptions are defects of ours: the caller learns that, and no more. */
const recover =
  (conclude: (request: Request, response: Response, outcome: Outcome, thrown: unknown) => void): ErrorRequestHandler =>
  (thrown, request, response, _next) => {
    if (response.headersSent) response.destroy();
    else conclude(request, response, failed('server.defect'), thrown);
  };
