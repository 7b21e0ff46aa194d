/** Closes a connection that the server refuses as soon as it is accepted. */
import type { Server } from 'node:http';

interface ListenHandle {
  onconnection: (error: number, connection: { close(): void } | undefined) => void;
}

/**
 * While `maxConnections` is 0, node:net reads both addresses of each connection that it closes, for its event `drop`, where they are not
 * used. tests/http/connection-admission.test.ts fails if a version of Node.js changes what libuv calls.
 */
export function closeRefused(server: Server): void {
  server.on('listening', () => {
    const handle = (server as unknown as { _handle: ListenHandle })._handle;
    const { onconnection } = handle;
    handle.onconnection = (error, connection) => {
      if (server.maxConnections !== 0 || !connection) return onconnection.call(handle, error, connection);
      connection.close();
      server.emit('drop');
    };
  });
}
