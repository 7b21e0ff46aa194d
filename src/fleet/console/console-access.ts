/** Who may use the console: nobody, everybody on this machine, or whoever knows the token. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { LoginFailures } from './login-failures.ts';

export interface AccessParts {
  /** The host of the admin server. */
  host: string;
  token: string | undefined;
  nowMs: () => number;
}

export type LoginResult = { cookie: string } | 'wrong' | 'limited';

export const sessionMs = 12 * 3_600_000;
export const maxSessions = 100;

export class ConsoleAccess {
  /** The hash has one length, so that the comparison takes the same time for every token. */
  readonly #hash: Buffer | undefined;
  readonly #nowMs: () => number;
  readonly #failures: LoginFailures;
  /** The end of each session by its random id; the oldest first. */
  readonly #sessions = new Map<string, number>();
  /** Why the console is off; undefined if it is on. */
  readonly offReason: string | undefined;

  constructor({ host, token, nowMs }: AccessParts) {
    this.#hash = token === undefined ? undefined : hashOf(token);
    this.#nowMs = nowMs;
    this.#failures = new LoginFailures(nowMs);
    if (!isConsoleOn({ host, token }))
      this.offReason = `the console is off: ADMIN_HOST is ${host}, which other machines may reach, and ADMIN_TOKEN is not set; set ADMIN_TOKEN to turn it on`;
  }

  /** Whether the request has a session or the token; `limited` after too many wrong tokens. */
  check(request: IncomingMessage): 'allowed' | 'denied' | 'limited' {
    if (!this.#hash || this.#hasSession(request)) return 'allowed';
    const token = bearerOf(request);
    if (token === undefined) return 'denied';
    const result = this.#verify(token, addressOf(request));
    if (result === 'limited') return result;
    return result === 'right' ? 'allowed' : 'denied';
  }

  /** Returns the header that sets the cookie of a new session. */
  login(token: string, request: IncomingMessage): LoginResult {
    const result = this.#verify(token, addressOf(request));
    if (result !== 'right') return result;
    const id = randomBytes(32).toString('base64url');
    if (this.#sessions.size >= maxSessions) this.#sessions.delete(this.#sessions.keys().next().value!);
    this.#sessions.set(id, this.#nowMs() + sessionMs);
    return { cookie: `${cookieName(request)}=${id}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${sessionMs / 1000}` };
  }

  /**
   * Without a token, a web site could point its name at this address and read the console as its own origin (DNS rebinding).
   * Its name is in the Host header.
   */
  isForeignHost({ headers }: IncomingMessage): boolean {
    if (this.#hash) return false;
    const name = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
    return name !== 'localhost' && !name.endsWith('.localhost') && isIP(name) === 0;
  }

  /** Whether a page of another origin sent the request. Its browser does not let it read the response, but each one costs the workers a reply. */
  isFromOtherPage({ headers }: IncomingMessage): boolean {
    const site = headers['sec-fetch-site'];
    return site === 'cross-site' || site === 'same-site';
  }

  /** Whether a POST may come from a page of another origin, in a browser that sends the cookie or needs none. */
  isCrossSite(request: IncomingMessage): boolean {
    const { host, origin, 'sec-fetch-site': site } = request.headers;
    if (this.#hash && bearerOf(request) !== undefined) return false; // a page of another origin cannot send it
    if (site !== undefined) return site !== 'same-origin';
    return host === undefined || (origin !== `http://${host}` && origin !== `https://${host}`);
  }

  #verify(token: string, address: string): 'right' | 'wrong' | 'limited' {
    if (this.#failures.isLimited(address)) return 'limited';
    if (!this.#hash || timingSafeEqual(hashOf(token), this.#hash)) return 'right';
    this.#failures.add(address);
    return 'wrong';
  }

  #hasSession(request: IncomingMessage): boolean {
    const { cookie = '' } = request.headers;
    const id = new RegExp(`(?:^|;\\s*)${cookieName(request)}=([\\w-]{43})(?:;|$)`).exec(cookie)?.[1];
    const endsAtMs = id === undefined ? undefined : this.#sessions.get(id);
    return endsAtMs !== undefined && this.#nowMs() < endsAtMs;
  }
}

/** Browsers share cookies between the ports of a host, and each port may be another exchange. The port is that of the browser, which a tunnel may change. */
const cookieName = ({ headers: { host = '' } }: IncomingMessage): string =>
  `gavel_session_${/:(\d{1,5})$/.exec(host)?.[1] ?? 80}`;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const bearerOf = ({ headers: { authorization = '' } }: IncomingMessage): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization)?.[1];

const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';

/** Without a token only clients on this machine may use the console. */
export const isConsoleOn = ({ host, token }: Pick<AccessParts, 'host' | 'token'>): boolean =>
  token !== undefined || isLoopback(host);

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
