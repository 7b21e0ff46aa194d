/** A worker that reads requests and counts them; LISTEN says how it gets its connections. */
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { readJson } from '../contenders/read-json.ts';
import type { Count } from './fleet.ts';

let requests = 0;
const sockets = new Set<Socket>();

/** What was counted since it was told last. */
function tellCount(): void {
  process.send!({ requests, connections: sockets.size } satisfies Count);
  requests = 0;
  sockets.clear();
}
process.on('message', tellCount);

const server = createServer((request, response) => {
  requests++;
  sockets.add(request.socket);
  readJson(request, () => response.end('{}'));
});
const ownSocket = process.env.LISTEN === 'reusePort' && { reusePort: true, exclusive: true };
server.listen({ host: '127.0.0.1', port: Number(process.env.PORT), ...ownSocket }, tellCount);
