/** Limits the connections of the admin server: clients that hold them must not keep out the probes of a load balancer. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const maxConnections = 100;

/** The response in progress on each socket, if there is one. */
export type OpenResponses = WeakMap<Socket, ServerResponse>;

/** At the limit, a new connection replaces the one that is needed least. */
export function limitAdminConnections(server: Server, responses: OpenResponses): void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    if (open.size >= maxConnections) {
      const replaced = leastNeeded([...open], responses) ?? socket;
      open.delete(replaced);
      replaced.destroy();
      if (replaced === socket) return;
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

/** The oldest without a request; else the oldest whose client is slow; else the oldest that is no live stream. */
function leastNeeded(oldestFirst: readonly Socket[], responses: OpenResponses): Socket | undefined {
  const isOf = (matches: (response: ServerResponse) => boolean) => (socket: Socket) => matches(responses.get(socket)!);
  return (
    oldestFirst.find((socket) => !responses.has(socket)) ??
    oldestFirst.find(isOf(waitsForClient)) ??
    oldestFirst.find(isOf(({ headersSent }) => !headersSent))
  );
}

/** Its request is not complete, or its response has not been read. */
const waitsForClient = ({ req, writableEnded }: ServerResponse): boolean => !req.complete || writableEnded;
