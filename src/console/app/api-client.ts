/** Calls the console's API. Paths are relative to the page, which the admin server serves at /console/. */
import type { TryResult } from '../../contract/console-api.ts';
import { isHeaderValue } from '../logic/header-value.ts';
import { asObject, asString, tryParse } from '../../json/read-values.ts';
import { bodyTooLarge, maxTryBytes } from '../../contract/api-limits.ts';

export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Found by the page, not by the exchange. The message is a sentence of its own. */
export class PageError extends Error {}

const timeoutMs = 10_000;
/** The bidding endpoint has 10 s, and the admin server says so if it does not respond. */
const tryTimeoutMs = 12_000;

type Listener = () => void;
let unauthorized: Listener = () => {};

/** Calls the listener whenever a response has status 401: the session is over. */
export function onUnauthorized(listener: Listener): void {
  unauthorized = listener;
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return readJson<T>(await send(path, signal ? { signal } : {}));
}

/** Why the server refuses the path; undefined if it does not, or does not respond. */
export async function refusalOf(path: string, signal: AbortSignal): Promise<string | undefined> {
  const abort = new AbortController();
  try {
    await send(path, { signal: AbortSignal.any([signal, abort.signal]) });
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? error.message : undefined;
  } finally {
    abort.abort();
  }
}

/** Runs a request of the playground. */
export async function postTry(body: string, apiKey: string): Promise<TryResult> {
  if (!isHeaderValue(apiKey)) throw new PageError('The API key has a character that HTTP headers do not permit.');
  // The server closes the connection of a client that sends much more, which then does not see the error.
  if (new Blob([body]).size > maxTryBytes) throw new ApiError(413, bodyTooLarge);
  const init = jsonPost(body, apiKey === '' ? {} : { 'X-Api-Key': apiKey });
  return readJson<TryResult>(await send('api/try', init, tryTimeoutMs));
}

/** False if the token is wrong. */
export async function login(token: string): Promise<boolean> {
  const response = await reach('api/login', jsonPost(JSON.stringify({ token })));
  if (response.status === 401) return false;
  if (!response.ok) throw await errorOf(response);
  return true;
}

const jsonPost = (body: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
});

async function send(path: string, init: RequestInit, limitMs = timeoutMs): Promise<Response> {
  const response = await reach(path, init, limitMs);
  if (response.status === 401) unauthorized();
  if (!response.ok) throw await errorOf(response);
  return response;
}

/** The time limit includes the body. */
async function reach(path: string, init: RequestInit, limitMs = timeoutMs): Promise<Response> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await fetch(path, { ...init, signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit });
  } catch (error) {
    throw toPageError(error);
  }
}

/** The body may not be complete: the connection ends, or the time is over. */
async function readJson<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch (error) {
    throw toPageError(error);
  }
}

/** The errors of `fetch` are the browser's: "Failed to fetch" in one, "Load failed" in another. Other errors stay. */
function toPageError(error: unknown): unknown {
  if (error instanceof TypeError) return new PageError('The admin server does not respond. Is the exchange running?');
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new PageError('The admin server did not respond in time. The exchange may be overloaded or stopped.');
  return error;
}

async function errorOf(response: Response): Promise<ApiError> {
  const text = (await response.text()).slice(0, 500);
  const reason = asString(asObject(tryParse(text)).error);
  return new ApiError(response.status, reason || `${response.status} ${response.statusText} ${text}`.trim());
}
