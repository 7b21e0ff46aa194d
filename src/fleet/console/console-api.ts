/** The handlers of the console's API. */
import type { IncomingMessage } from 'node:http';
import type { Auctions, AuctionSample, ErrorCount, Errors, Example, Session } from '../../contract/console-api.ts';
import { bodyTooLarge, maxTryBytes } from '../../contract/api-limits.ts';
import { type SampleKind, sampleKind } from '../../contract/sample-kind.ts';
import { isObject } from '../../json/guards.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { AdminResponse, AdminStream } from '../admin-response.ts';
import type { AdminRoute } from '../admin-server.ts';
import type { ConsoleAccess } from './console-access.ts';
import { mergeErrors } from './fleet-errors.ts';
import type { LiveFeed } from './live-feed.ts';
import { TryError, tryRequest } from './try-request.ts';

export interface ConsoleApiParts {
  access: ConsoleAccess;
  feed: LiveFeed;
  auctions: () => Promise<PolledAuctions>;
  /** Also of workers that have exited. */
  errors: () => Promise<Iterable<ErrorCount[]>>;
  examples: readonly Example[];
  /** Empty until the workers listen. */
  endpoint: () => string;
  version: string;
}

export interface PolledAuctions {
  /** By worker. */
  samples: Iterable<AuctionSample[]>;
  /** Ready workers that have not replied in time. */
  missingWorkers: number;
}

export interface ApiRoute extends AdminRoute {
  method: 'GET' | 'POST';
  /** Works without a session. */
  isOpen?: true;
}

const maxLoginBytes = 1_024;
export const trySettings = { timeoutMs: 10_000, maxResponseBytes: 1_048_576 };
const apiKeyHeader = 'x-api-key';
export const maxTries = 8;
/** Together as many as the list has. */
export const auctionQuotas: Readonly<Record<SampleKind, number>> = { error: 250, test: 100, other: 150 };
export const maxAuctions = 500;
export const maxErrors = 100;

/** By the path below `/console/api/`. */
export function createConsoleApi(parts: ConsoleApiParts): Record<string, ApiRoute> {
  const { access, feed, examples } = parts;
  const get = (handle: AdminRoute['handle']): ApiRoute => ({ method: 'GET', maxBodyBytes: 0, handle });
  return {
    session: { ...get((request) => json(sessionOf(parts, request))), isOpen: true },
    login: { method: 'POST', maxBodyBytes: maxLoginBytes, isOpen: true, handle: (...call) => login(access, ...call) },
    examples: get(() => json(examples)),
    try: { method: 'POST', maxBodyBytes: maxTryBytes, tooLarge: bodyTooLarge, handle: createTry(parts) },
    live: get(() => live(feed)),
    history: get((request) => feed.history.asset.respond(request)),
    auctions: get(async (request) => json(selectAuctions(await parts.auctions(), idOf(request)))),
    errors: get(async () => json({ errors: mergeErrors(await parts.errors(), maxErrors) } satisfies Errors)),
  };
}

const json = (body: object): AdminResponse => ({ status: 200, body });

export const apiError = (status: number, error: string, headers: Record<string, string> = {}): AdminResponse => ({
  status,
  body: { error },
  headers,
});

export const tooManyLogins = (): AdminResponse =>
  apiError(429, 'too many wrong tokens; try again in a minute', { 'Retry-After': '60' });

const sessionOf = ({ access, endpoint, version }: ConsoleApiParts, request: IncomingMessage): Session => ({
  loginRequired: access.check(request) !== 'allowed',
  endpoint: endpoint(),
  version,
});

function login(access: ConsoleAccess, request: IncomingMessage, body: Buffer): AdminResponse {
  const value = parseJson(body.toString());
  const token = isObject(value) ? value.token : undefined;
  if (typeof token !== 'string') return apiError(400, 'the body must be {"token":"…"}');
  const result = access.login(token, request);
  if (result === 'limited') return tooManyLogins();
  if (result === 'wrong') return apiError(401, 'the token is not that of ADMIN_TOKEN');
  return { status: 204, body: '', headers: { 'Set-Cookie': result.cookie } };
}

function createTry({ endpoint }: ConsoleApiParts): AdminRoute['handle'] {
  let running = 0;
  return async ({ headersDistinct }, body) => {
    const apiKey = headersDistinct[apiKeyHeader]?.[0];
    if (endpoint() === '') return apiError(503, 'the exchange is still starting', { 'Retry-After': '1' });
    if (running >= maxTries)
      return apiError(503, `${maxTries} requests are running; try again`, { 'Retry-After': '1' });
    running++;
    try {
      return json(await tryRequest(body, { endpoint: endpoint(), apiKey, ...trySettings }));
    } catch (error) {
      if (!(error instanceof TryError)) throw error;
      return apiError(502, `the bidding endpoint failed: ${error.message}`);
    } finally {
      running--;
    }
  };
}

function live(feed: LiveFeed): AdminResponse | AdminStream {
  if (feed.isFull) return apiError(503, 'too many clients watch; close one', { 'Retry-After': '10' });
  return { headers: { 'Content-Type': 'text/event-stream' }, open: (response) => feed.open(response) };
}

const idOf = ({ url = '/' }: IncomingMessage): string =>
  new URLSearchParams(url.split('?')[1] ?? '').get('id')?.trim() ?? '';

/** Newest first. `id` is a request id or the id of a bid request; every sample if it is empty. */
function selectAuctions({ samples, missingWorkers }: PolledAuctions, id: string): Auctions {
  const found = [...samples]
    .flat()
    .filter(({ requestId, bidRequestId }) => id === '' || requestId === id || bidRequestId === id)
    .toSorted((a, b) => b.timeMs - a.timeMs);
  return { auctions: limitByKind(found), ...(missingWorkers > 0 && { missingWorkers }) };
}

/** Each kind has its quota of the newest; what one leaves goes to the newest of the others. Keeps the order. */
function limitByKind(samples: readonly AuctionSample[]): AuctionSample[] {
  if (samples.length <= maxAuctions) return [...samples];
  const left = { ...auctionQuotas };
  const within = new Set(samples.filter(({ test, error }) => left[sampleKind(test, error)]-- > 0));
  const others = samples.filter((sample) => !within.has(sample)).slice(0, maxAuctions - within.size);
  const selected = new Set([...within, ...others]);
  return samples.filter((sample) => selected.has(sample));
}
