/** Sends prepared requests to the exchange over one connection and waits for each response. */
import { connect, type Socket } from 'node:net';

export interface AuditClient {
  /** Resolves with the status; 0 if the connection closed without a response. Rejects after the timeout. */
  send(request: Buffer): Promise<number>;
  close(): void;
}

export function createClient(url: string, timeoutMs: number): AuditClient {
  const { hostname, port } = new URL(url);
  let socket: Socket | undefined;
  const open = (): Socket => {
    if (socket && !socket.destroyed && socket.writable) return socket;
    socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    return socket;
  };
  return {
    send: (request) => receiveStatus(open(), request, timeoutMs),
    close: () => socket?.destroy(),
  };
}

function receiveStatus(socket: Socket, request: Buffer, timeoutMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const response = new ResponseReader();
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      socket.off('data', onData).off('close', onClose);
      settle();
    };
    const onData = (chunk: Buffer) => {
      if (!response.add(chunk)) return;
      if (response.closes) socket.destroy();
      finish(() => resolve(response.status));
    };
    const onClose = () => finish(() => resolve(response.status));
    const timer = setTimeout(() => {
      socket.destroy();
      finish(() => reject(new Error(`no response within ${timeoutMs} ms`)));
    }, timeoutMs);
    socket.on('data', onData).on('close', onClose);
    socket.write(request);
  });
}

/** Finds the end of one response, which has Content-Length or no body. */
class ResponseReader {
  status = 0;
  closes = false;
  #head = '';
  #left: number | undefined;

  /** Whether the response is complete. */
  add(chunk: Buffer): boolean {
    let bytes = chunk.length;
    if (this.#left === undefined) {
      this.#head += chunk.toString('latin1');
      const end = this.#head.indexOf('\r\n\r\n');
      if (end === -1) return false;
      const head = this.#head.slice(0, end);
      this.status = Number(head.split(' ', 2)[1]);
      this.closes = /^connection: *close/im.test(head);
      this.#left = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      bytes = this.#head.length - end - 4;
    }
    this.#left -= bytes;
    return this.#left <= 0;
  }
}
