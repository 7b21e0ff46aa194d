/** Writes raw bytes to a socket and reads one response, for requests that no HTTP client would send. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Resolves when the server closes the connection. */
export const sendRaw = (server: Server, bytes: string): Promise<RawResponse> =>
  sendRawTo((server.address() as AddressInfo).port, bytes);

export async function sendRawTo(port: number, bytes: string): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  await once(socket, 'close');
  return parseResponse(received);
}

export function parseResponse(received: string): RawResponse {
  const [head = '', text = ''] = received.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(': ')[0]!.toLowerCase(), line.split(': ').slice(1).join(': ')]),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, text };
}
