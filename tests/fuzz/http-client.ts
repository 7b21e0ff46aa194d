/** A client for one raw connection after another: it reports the responses and how the connection ended. */
import { connect, type Socket } from 'node:net';
import { check, Violation } from './target.ts';

export interface ReceivedResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const headEnd = '\r\n\r\n';

/**
 * The responses in what a server sent, and the rest that is not a complete response. `mayLackBody` allows responses
 * without the body that their Content-Length announces, as responses to HEAD are.
 */
export function parseResponses(
  received: string,
  mayLackBody: boolean,
): { responses: ReceivedResponse[]; rest: string } {
  const responses: ReceivedResponse[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf(headEnd);
    if (end === -1) return { responses, rest };
    const { status, headers } = parseHead(rest.slice(0, end));
    const after = rest.slice(end + headEnd.length);
    const length = Number(headers['content-length'] ?? 0);
    const lacksBody = mayLackBody && (after === '' || after.startsWith('HTTP/1.1 '));
    if (!lacksBody && after.length < length) return { responses, rest };
    responses.push({ status, headers, body: lacksBody ? '' : after.slice(0, length) });
    rest = lacksBody ? after : after.slice(length);
  }
}

function parseHead(head: string): { status: number; headers: Record<string, string> } {
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/.exec(statusLine)?.[1];
  check(status !== undefined, 'a response without a valid status line');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = /^([\w-]+): ([\x20-\x7e]*)$/.exec(line) ?? [];
    check(name !== undefined && value !== undefined, 'a response with an invalid header line');
    headers[name.toLowerCase()] = value;
  }
  return { status: Number(status), headers };
}

/** A connection that is kept open and sends one request at a time. */
export class KeptConnection {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  send(head: string, body: Buffer): Promise<ReceivedResponse> {
    const socket = this.#socket ?? this.#open();
    socket.write(Buffer.concat([Buffer.from(`${head}\r\nContent-Length: ${body.length}${headEnd}`), body]));
    return new Promise((resolve, reject) => {
      let received = '';
      const settle = (run: () => void) => {
        socket.off('data', onData).off('close', onClose);
        run();
      };
      const onClose = () => settle(() => reject(new Violation('the connection was closed without a response')));
      const onData = (chunk: Buffer) => {
        received += chunk.toString('latin1');
        try {
          const [response] = parseResponses(received, false).responses;
          if (response) settle(() => resolve(response));
        } catch (error) {
          settle(() => reject(error));
        }
      };
      socket.on('data', onData).on('close', onClose);
    });
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1')
      .setNoDelay()
      .on('error', () => {});
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined;
    });
    this.#socket = socket;
    return socket;
  }
}
