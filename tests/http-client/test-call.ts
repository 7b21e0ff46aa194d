/** A call of the HTTP client whose end the test waits for. */
import type { ConnectionPool } from '../../src/http-client/connection-pool.ts';
import type { Connection } from '../../src/http-client/connection.ts';
import type { HttpCall } from '../../src/http-client/http-call.ts';
import type { HttpClient, Request } from '../../src/http-client/http-client.ts';

export type CallEnd = { status: number; body: string; isGzip: boolean } | { failure: string; status?: number };

export class TestCall implements HttpCall {
  readonly text: string;
  readonly encoding: 'latin1' | 'utf8';
  readonly maxBytes = 1024 * 1024;
  readonly needsBody = true;
  connection: Connection | undefined;
  readonly pool: ConnectionPool;
  readonly ended: Promise<CallEnd>;
  #end!: (end: CallEnd) => void;

  constructor(client: HttpClient, request: Request) {
    const { pool, text, encoding } = client.prepare(request);
    this.pool = pool;
    this.text = text;
    this.encoding = encoding;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    pool.send(this);
  }

  onResponse(status: number, isGzip: boolean, bytes: Buffer, start: number, end: number): void {
    this.#end({ status, body: bytes.toString('latin1', start, end), isGzip });
  }

  onFailure(failure: string, status?: number): void {
    this.#end(status === undefined ? { failure } : { failure, status });
  }
}
