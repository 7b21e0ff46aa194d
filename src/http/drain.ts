/** Drains a server without failing a request: requests in progress get their response, then their connections close. */
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/** How long a client with an idle connection may still send a request on it; its response closes the connection. */
const idleGraceMs = 1_000;

/** Resolves when all connections are closed, with the number of those that were closed by force after `timeoutMs`. */
export async function drain(server: Server, timeoutMs: number): Promise<number> {
  let cut = 0;
  const closed = new Promise<void>((resolve) => {
    // http.Server's own close() would cut idle connections at once, and requests on their way with them.
    NetServer.prototype.close.call(server, () => resolve());
  });
  const idle = setTimeout(() => closeWhenIdle(server), Math.min(idleGraceMs, timeoutMs));
  const force = setTimeout(() => {
    server.getConnections((_error, count) => (cut = count));
    server.closeAllConnections();
  }, timeoutMs);
  await closed;
  clearTimeout(idle);
  clearTimeout(force);
  return cut;
}

/** Closes idle connections now, and those that become idle later. */
function closeWhenIdle(server: Server): void {
  server.closeIdleConnections();
  const timer = setInterval(() => server.closeIdleConnections(), 100).unref();
  server.once('close', () => clearInterval(timer));
}
