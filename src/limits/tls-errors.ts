/** What happens when a TLS connection to Redis fails twice. */
import { subscribe } from 'node:diagnostics_channel';
import { TLSSocket } from 'node:tls';

/** Published for each client socket before it connects. */
const clientSockets = 'net.client.socket';

let isListening = false;

/**
 * ioredis listens to the first error of a socket only, and a TLS socket may have two: a broken record and then the reset
 * of the connection, or a certificate that is not trusted and then the server's alert because the handshake was cut short.
 * Without a listener, the second would end the process.
 */
export function ignoreFurtherErrors(): void {
  if (isListening) return;
  isListening = true;
  subscribe(clientSockets, (message) => {
    const { socket } = message as { socket: unknown };
    if (socket instanceof TLSSocket) socket.on('error', () => {});
  });
}
