/** The HTTP/1.1 client for one partner: a pool of connections per origin, no redirects, no retries (decision 31). */
import { memoize } from '../cache/memoize.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { ConnectOptions } from './connection.ts';

/** Origins of one client. A caller with more takes them from the request, which is a defect. */
const maxOrigins = 16;

/** What a call sends, and where. */
export interface Request {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Further headers, of this request only. */
  ownHeaders?: Readonly<Record<string, string>> | undefined;
  body?: string | undefined;
}

/** `text` and `encoding` of an `HttpCall`, and the pool that sends it. */
export interface PreparedRequest {
  pool: ConnectionPool;
  text: string;
  encoding: 'latin1' | 'utf8';
}

export class HttpClient {
  readonly #connect: ConnectOptions;
  readonly #pools = new Map<string, ConnectionPool>();
  /** The beginning of the latest request: most partners have one URL and the same headers for every call. */
  #latest: { method: string; url: string; headers: object; pool: ConnectionPool; head: string } | undefined;

  constructor(connect: ConnectOptions) {
    this.#connect = connect;
  }

  prepare({ method, url, headers, ownHeaders, body }: Request): PreparedRequest {
    let latest = this.#latest;
    if (latest?.url !== url || latest.headers !== headers || latest.method !== method) {
      const { origin, host, path } = splitUrl(url);
      const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n${linesOf(headers)}accept-encoding: gzip\r\n`;
      this.#latest = latest = { method, url, headers, head, pool: this.#poolOf(origin) };
    }
    const { pool } = latest;
    const head = ownHeaders ? latest.head + linesOf(ownHeaders) : latest.head;
    if (body === undefined) return { pool, text: `${head}\r\n`, encoding: 'latin1' };
    const length = Buffer.byteLength(body);
    const text = `${head}content-length: ${length}\r\n\r\n${body}`;
    return { pool, text, encoding: length === body.length ? 'latin1' : 'utf8' };
  }

  #poolOf(origin: string): ConnectionPool {
    let pool = this.#pools.get(origin);
    if (pool) return pool;
    if (this.#pools.size >= maxOrigins)
      throw new Error(`a partner has more than ${maxOrigins} hosts; the latest is ${origin}`);
    const { protocol, hostname, port } = new URL(origin);
    const isTls = protocol === 'https:';
    pool = new ConnectionPool({
      ...this.#connect,
      isTls,
      hostname: hostname.replaceAll(/^\[|\]$/g, ''),
      port: Number(port) || (isTls ? 443 : 80),
    });
    this.#pools.set(origin, pool);
    return pool;
  }
}

/** The URL parser percent-encodes whatever could end the line. */
const splitUrl = memoize({ maxEntries: 100, maxKeyLength: 1_000 }, (url) => {
  const { protocol, origin, host, pathname, search } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`the URL of a partner begins with ${protocol}`);
  return { origin, host, path: pathname + search };
});

const validName = /^[!#$%&'*+\-.^`|~\w]+$/;
const validValue = /^[\t -~]*$/;

/** The client writes framing and connection headers itself, so callers give none of them. */
function linesOf(headers: Readonly<Record<string, string>>): string {
  let lines = '';
  for (const [name, value] of Object.entries(headers)) {
    if (!validName.test(name) || !validValue.test(value)) throw new Error(`the header ${name} of a call is invalid`);
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}
