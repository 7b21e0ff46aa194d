/** Keep-alive connections from one local address: sends prepared bytes, one request at a time per connection. */
import { connect, type Socket } from 'node:net';
import { type RawResponse, ResponseReader } from './response-reader.ts';

/** A response, or why there is none. */
export type SendResult = RawResponse | 'closed' | 'timeout';

export interface PoolSettings {
  port: number;
  localAddress: string;
  maxConnections: number;
  timeoutMs: number;
  keepBodies?: boolean;
}

interface Pending {
  sentAtMs: number;
  onResult: (result: SendResult) => void;
}

interface Connection {
  socket: Socket;
  pending: Pending | undefined;
}

const sweepIntervalMs = 100;

export class ConnectionPool {
  readonly #settings: PoolSettings;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  readonly #sweep = setInterval(() => this.#closeLate(), sweepIntervalMs);

  constructor(settings: PoolSettings) {
    this.#settings = settings;
  }

  /** False if every connection is busy: nothing was sent. */
  send(bytes: Buffer, onResult: (result: SendResult) => void): boolean {
    const connection = this.#idle.pop() ?? this.#open();
    if (!connection) return false;
    connection.pending = { sentAtMs: performance.now(), onResult };
    connection.socket.write(bytes);
    return true;
  }

  /** Requests without a response get no result. */
  close(): void {
    clearInterval(this.#sweep);
    for (const { socket } of this.#all) socket.removeAllListeners('close').destroy();
  }

  #open(): Connection | undefined {
    const { port, localAddress, maxConnections, keepBodies } = this.#settings;
    if (this.#all.size >= maxConnections) return undefined;
    const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
    const connection: Connection = { socket, pending: undefined };
    this.#all.add(connection);
    const reader = new ResponseReader((response) => this.#receive(connection, response), keepBodies);
    socket.on('data', (chunk) => reader.read(chunk));
    socket.on('error', () => {});
    socket.on('close', () => this.#drop(connection, 'closed'));
    return connection;
  }

  #receive(connection: Connection, response: RawResponse): void {
    const { pending, socket } = connection;
    if (!pending) return;
    connection.pending = undefined;
    if (response.closes) this.#remove(connection);
    else this.#idle.push(connection);
    if (response.closes) socket.destroy();
    pending.onResult(response);
  }

  #closeLate(): void {
    const before = performance.now() - this.#settings.timeoutMs;
    for (const connection of this.#all) {
      if (!connection.pending || connection.pending.sentAtMs > before) continue;
      this.#drop(connection, 'timeout');
      connection.socket.destroy();
    }
  }

  #drop(connection: Connection, reason: 'closed' | 'timeout'): void {
    const { pending } = connection;
    connection.pending = undefined;
    this.#remove(connection);
    pending?.onResult(reason);
  }

  #remove(connection: Connection): void {
    this.#all.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index !== -1) this.#idle.splice(index, 1);
  }
}
