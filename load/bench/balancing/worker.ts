/** A worker that reads requests and counts them; LISTEN selects how it gets its connections. */
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { readJson } from '../baselines/serve.ts';
import type { WorkerCounts } from './fleet.ts';

let requests = 0;
const sockets = new Set<Socket>();

/** Sends the counts since the last report to the primary. */
function reportCounts(): void {
  process.send!({ requests, connections: sockets.size } satisfies WorkerCounts);
  requests = 0;
  sockets.clear();
}
process.on('message', (message, handle) => {
  if (message === 'listen') server.listen(handle, reportCounts);
  else reportCounts();
});

const server = createServer((request, response) => {
  requests++;
  sockets.add(request.socket);
  readJson(request, () => response.end('{}'));
});
if (process.env.LISTEN !== 'shared socket') listen();

function listen(): void {
  const ownSocket = process.env.LISTEN === 'reusePort' && { reusePort: true, exclusive: true };
  server.listen({ host: '127.0.0.1', port: Number(process.env.PORT), ...ownSocket }, reportCounts);
}
