/** Calls the console's API. Paths are relative to the page, which the admin server serves at /console/. */
import type { TryResult } from '../api.ts';
import { asObject, asString, tryParse } from '../logic/json-guards.ts';

export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Listener = () => void;
let unauthorized: Listener = () => {};

/** Calls the listener whenever a response has status 401: the session is over. */
export function onUnauthorized(listener: Listener): void {
  unauthorized = listener;
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await send(path, signal ? { signal } : {})).json() as Promise<T>;
}

/** Runs a request of the playground. */
export async function postTry(body: string, apiKey: string): Promise<TryResult> {
  const init = jsonPost(body, apiKey === '' ? {} : { 'X-Api-Key': apiKey });
  return (await send('api/try', init)).json() as Promise<TryResult>;
}

/** False if the token is wrong. */
export async function login(token: string): Promise<boolean> {
  const response = await fetch('api/login', jsonPost(JSON.stringify({ token })));
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
  const response = await fetch(path, init);
  if (response.status === 401) unauthorized();
  if (!response.ok) throw await errorOf(response);
  return response;
}

async function errorOf(response: Response): Promise<ApiError> {
  const text = (await response.text()).slice(0, 500);
  const reason = asString(asObject(tryParse(text)).error);
  return new ApiError(response.status, reason || `${response.status} ${response.statusText} ${text}`.trim());
}
