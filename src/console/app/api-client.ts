/** Calls the console's API. Paths are relative to the page, which the admin server serves at /console/. */
import type { TryResult } from '../api.ts';
import { asObject, asString, tryParse } from '../logic/json-guards.ts';
import { maxTryBytes, tryTooLarge } from '../try-limit.ts';

export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The message is a sentence of its own. */
export class UnreachableError extends Error {
  constructor() {
    super('The admin server does not respond. Is the exchange running?');
  }
}

type Listener = () => void;
let unauthorized: Listener = () => {};

/** Calls the listener whenever a response has status 401: the session is over. */
export function onUnauthorized(listener: Listener): void {
  unauthorized = listener;
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return readJson<T>(await send(path, signal ? { signal } : {}));
}

/** Runs a request of the playground. */
export async function postTry(body: string, apiKey: string): Promise<TryResult> {
  // The server closes the connection of a client that sends much more, which then does not see the error.
  if (new Blob([body]).size > maxTryBytes) throw new ApiError(413, tryTooLarge);
  const init = jsonPost(body, apiKey === '' ? {} : { 'X-Api-Key': apiKey });
  return readJson<TryResult>(await send('api/try', init));
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

async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await reach(path, init);
  if (response.status === 401) unauthorized();
  if (!response.ok) throw await errorOf(response);
  return response;
}

/** The errors of `fetch` are the browser's: "Failed to fetch" in one, "Load failed" in another. */
async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    throw init.signal?.aborted ? error : new UnreachableError();
  }
}

/** Fails with a TypeError if the connection ends before the body does. */
async function readJson<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch (error) {
    throw error instanceof TypeError ? new UnreachableError() : error;
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  const text = (await response.text()).slice(0, 500);
  const reason = asString(asObject(tryParse(text)).error);
  return new ApiError(response.status, reason || `${response.status} ${response.statusText} ${text}`.trim());
}
