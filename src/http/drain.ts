/** Ends a server without failing a request: what is under way is answered, connections close after their answers. */
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/** Clients that hold a connection idle get this long to send on it and be told to close it. */
const idleGraceMs = 1_000;

/** Resolves when all connections are closed, by force after `mostMs`. */
export async function drain(server: Server, mostMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    // The close of http.Server would cut idle connections at once, and with them requests that are on their way.
    NetServer.prototype.close.call(server, () => resolve());
  });
  const idle = setTimeout(() => closeWhenIdle(server), Math.min(idleGraceMs, mostMs));
  const force = setTimeout(() => server.closeAllConnections(), mostMs);
  await closed;
  clearTimeout(idle);
  clearTimeout(force);
}

/** From now on, and for connections that become idle later. */
function closeWhenIdle(server: Server): void {
  server.closeIdleConnections();
  const timer = setInterval(() => server.closeIdleConnections(), 100).unref();
  server.once('close', () => clearInterval(timer));
}
