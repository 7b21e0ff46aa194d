/** A client's connection: one request at a time, as cheap as possible, because the generator has one core. */
import { connect, type Socket } from 'node:net';

/** What became of a request. `closed`: the server refused or closed the connection. */
export type Result = 'succeeded' | 'shed' | 'failed' | 'closed';

const headEnd = Buffer.from('\r\n\r\n');
const lengthHeader = Buffer.from('Content-Length: ');
const statusStart = 9;

export class Connection {
  readonly #socket: Socket;
  readonly #onResult: (connection: Connection, result: Result) => void;
  readonly #onClose: (connection: Connection) => void;
  isBusy = false;
  #missing = 0;
  #status = 0;
  isOpen = true;

  constructor(
    port: number,
    localAddress: string,
    onResult: (connection: Connection, result: Result) => void,
    onClose: (connection: Connection) => void,
  ) {
    this.#onResult = onResult;
    this.#onClose = onClose;
    this.#socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.#close());
  }

  send(request: Buffer): void {
    this.isBusy = true;
    this.#socket.write(request);
  }

  /** As a client does that has given up. */
  abandon(): void {
    this.isOpen = false;
    this.isBusy = false;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    let rest = chunk;
    if (this.#missing === 0) {
      const end = chunk.indexOf(headEnd);
      if (end === -1) return this.abandon(); // the heads of the exchange come in one piece
      this.#status = Number(chunk.toString('latin1', statusStart, statusStart + 3));
      const length = chunk.indexOf(lengthHeader);
      this.#missing =
        length === -1 || length > end
          ? 0
          : Number.parseInt(chunk.toString('latin1', length + lengthHeader.length, end), 10);
      rest = chunk.subarray(end + headEnd.length);
    }
    this.#missing -= rest.length;
    if (this.#missing > 0) return;
    this.#missing = 0;
    this.#finish(resultOf(this.#status));
  }

  #finish(result: Result): void {
    if (!this.isBusy) return;
    this.isBusy = false;
    this.#onResult(this, result);
  }

  #close(): void {
    this.isOpen = false;
    this.#finish('closed');
    this.#onClose(this);
  }
}

function resultOf(status: number): Result {
  if (status === 200 || status === 204) return 'succeeded';
  return status === 503 ? 'shed' : 'failed';
}
