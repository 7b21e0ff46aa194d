/** Ends the server in order: answers under way are given, connections close after them, the held ones at once. */
import type { Server, ServerResponse } from 'node:http';
import type { Pace } from './fate.ts';

const idleCheckMs = 20;
/** For an answer that is due to reach its caller. */
const graceMs = 250;

/** `done` is called when every connection is closed, by force once no answer can be due any more. */
export function endServer(
  server: Server,
  held: ReadonlySet<ServerResponse>,
  { latencyMs, latencySpreadMs }: Pace,
  done: () => void,
): void {
  server.close(done);
  for (const response of held) response.req.socket.destroy();
  setInterval(() => server.closeIdleConnections(), idleCheckMs).unref();
  setTimeout(() => server.closeAllConnections(), latencyMs + latencySpreadMs + graceMs).unref();
}
