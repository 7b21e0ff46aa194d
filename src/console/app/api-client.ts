/** Calls the console's API. Paths are relative to the page, which the admin server serves at /console/. */

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

export const reportUnauthorized = (): void => unauthorized();

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await send(path, signal ? { signal } : {})).json() as Promise<T>;
}

export async function postJson<T>(path: string, body: string): Promise<T> {
  return (await post(path, body)).json() as Promise<T>;
}

/** False if the token is wrong. */
export async function login(token: string): Promise<boolean> {
  const response = await fetch('api/login', jsonPost(JSON.stringify({ token })));
  if (response.status === 401) return false;
  if (!response.ok) throw await errorOf(response);
  return true;
}

const jsonPost = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body,
});

const post = (path: string, body: string) => send(path, jsonPost(body));

async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, init);
  if (response.status === 401) unauthorized();
  if (!response.ok) throw await errorOf(response);
  return response;
}

async function errorOf(response: Response): Promise<ApiError> {
  const text = (await response.text()).slice(0, 500);
  return new ApiError(response.status, `${response.status} ${response.statusText} ${text}`.trim());
}
