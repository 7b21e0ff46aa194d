/** A client connection of the warm-up: sends one request at a time and waits for the whole response. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const endOfHead = '\r\n\r\n';

export class WarmConnection {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** The connection closes if nothing happens on it for `timeoutMs`. */
  static async open(port: number, host: string, timeoutMs: number): Promise<WarmConnection> {
    const socket = connect({ port, host, noDelay: true });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no response in time')));
    await once(socket, 'connect');
    socket.on('error', () => {}); // its `close` ends the response in progress
    return new WarmConnection(socket);
  }

  /** Resolves with the status of the response; rejects if the connection closes before its end. */
  send(request: Buffer): Promise<number> {
    const socket = this.#socket;
    return new Promise((resolve, reject) => {
      let received = '';
      const finish = (status: number | undefined) => {
        socket.off('data', read).off('close', close);
        if (status === undefined) reject(new Error('the connection closed before the response'));
        else resolve(status);
      };
      const read = (chunk: Buffer) => {
        received += chunk.toString('latin1');
        if (isComplete(received)) finish(Number(received.slice(9, 12))); // after "HTTP/1.1 "
      };
      const close = () => finish(undefined);
      socket.on('data', read).on('close', close);
      socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}

function isComplete(received: string): boolean {
  const end = received.indexOf(endOfHead);
  if (end === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, end))?.[1] ?? 0;
  return received.length >= end + endOfHead.length + Number(length);
}
