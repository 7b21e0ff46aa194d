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
import { failed, type Outcome } from '../exchange/outcome.ts';
import type { Limiter } from '../limits/limiter.ts';
import { admit } from './admit.ts';
import { clientAddress } from './client-address.ts';
import { LoadGate, type LoadLimits } from './load-gate.ts';
import { type BodyReading, readBody, type ReadingLimits } from './read-body.ts';
import './request-state.ts';
import type { TrafficObserver } from './traffic-observer.ts';
import { respond } from './respond.ts';

export interface AppParts {
  limiter: Limiter;
  handleBidRequest: HandleBidRequest;
  trustProxy: string | number;
  reading: ReadingLimits;
  load: LoadLimits;
  observer: TrafficObserver;
  /** While it drains, each connection closes after its answer. */
  isDraining: () => boolean;
}

export function createApp(parts: AppParts): Express {
  const { limiter, handleBidRequest, trustProxy, observer, isDraining } = parts;
  const conclude = (request: Request, response: Response, outcome: Outcome, thrown?: unknown) => {
    if (isDraining()) response.shouldKeepAlive = false;
    const concludedAtMs = performance.now();
    respond(response, request.requestId, outcome);
    observer.concluded(request, response, { outcome, concludedAtMs, thrown });
  };

  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', trustProxy);

  app.use(identify(limiter));
  app.post('/openrtb2', read(parts.reading, new LoadGate(parts.load)));
  app.use(admit(limiter, conclude));
  app.post('/openrtb2', (request, response) => {
    observer.admitted(request);
    const body = request.reading!;
    if ('error' in body) conclude(request, response, failed(body.error));
    else handleBidRequest(body.value, request.arrivedAtMs, (outcome) => conclude(request, response, outcome));
  });
  app.all('/openrtb2', (request, response) => conclude(request, response, failed('http.method')));
  app.use((request, response) => conclude(request, response, failed('http.notFound')));
  app.use(recover(conclude));
  return app;
}

const identify =
  (limiter: Limiter): RequestHandler =>
  (request, response, next) => {
    request.arrivedAtMs = performance.now();
    request.requestId = randomUUID();
    response.setHeader('X-Request-Id', request.requestId);
    const claim = { ip: clientAddress(request), publisher: undefined };
    request.ticket = { claim, verdict: limiter.recall(claim) };
    next();
  };

/** Reads the body and goes on whatever came of it: a limit is judged before anything else is answered. */
const read =
  (limits: ReadingLimits, gate: LoadGate): RequestHandler =>
  (request, response, next) => {
    if (request.ticket.verdict) return next(); // known to be refused: its body need not be read
    const proceed = (reading: BodyReading) => {
      request.reading = reading;
      request.readAtMs = performance.now();
      next();
    };
    if (!gate.enterReading(request.ticket.claim.ip, response)) return proceed({ error: 'server.unavailable' });
    const goOn = () => {
      if (request.headers.expect !== undefined) response.writeContinue();
    };
    readBody(request, limits, goOn, (reading) => {
      proceed(gate.enterHandling(response) ? reading : { error: 'server.unavailable' });
    });
  };

/** Exceptions are defects of ours: the caller learns that, and no more. */
const recover =
  (conclude: (request: Request, response: Response, outcome: Outcome, thrown: unknown) => void): ErrorRequestHandler =>
  (thrown, request, response, _next) => {
    if (response.headersSent) response.destroy();
    else conclude(request, response, failed('server.defect'), thrown);
  };
