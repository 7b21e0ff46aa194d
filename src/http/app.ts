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
import { createReadAddress, type ReadAddress } from './client-address.ts';
import { LoadGate, type LoadLimits } from './load-gate.ts';
import { type BodyReading, readBody, type ReadingLimits } from './read-body.ts';
import type { TrafficObserver } from './traffic-observer.ts';
import { respond } from './respond.ts';
import { Visit } from './visit.ts';

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
  const { limiter, handleBidRequest, observer, isDraining } = parts;
  const conclude = (request: Request, response: Response, outcome: Outcome, thrown?: unknown) => {
    if (isDraining()) response.shouldKeepAlive = false;
    const concludedAtMs = performance.now();
    respond(response, request.visit, outcome);
    observer.concluded(request, response, { outcome, concludedAtMs, thrown });
  };
  const bid: RequestHandler = (request, response) => {
    observer.admitted(request);
    const { reading, arrivedAtMs } = request.visit;
    if ('error' in reading!) conclude(request, response, failed(reading.error));
    else handleBidRequest(reading!.value, arrivedAtMs, (outcome) => conclude(request, response, outcome));
  };

  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', parts.trustProxy);
  const readAddress = createReadAddress(app.get('trust proxy fn') as Parameters<typeof createReadAddress>[0]);
  showAddress(app);

  const admitted = admit(limiter, conclude);
  const identified = identify(limiter, readAddress);
  app.post('/openrtb2', identified, read(parts.reading, new LoadGate(parts.load)), admitted, bid);
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
      return this.visit.claim.ip;
    },
  });
}

const identify =
  (limiter: Limiter, readAddress: ReadAddress): RequestHandler =>
  (request, _response, next) => {
    const visit = new Visit(randomUUID(), performance.now());
    request.visit = visit; // before all else: whatever comes, the answer has an id
    visit.claim.ip = readAddress(request);
    visit.verdict = limiter.recall(visit.claim);
    next();
  };

/** Reads the body and goes on whatever came of it: a limit is judged before anything else is answered. */
const read =
  (limits: ReadingLimits, gate: LoadGate): RequestHandler =>
  (request, response, next) => {
    const { visit } = request;
    if (visit.verdict) return next(); // known to be refused: its body need not be read
    const proceed = (reading: BodyReading) => {
      visit.reading = reading;
      visit.readAtMs = performance.now();
      next();
    };
    const place = gate.enter(visit.claim.ip, response);
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
