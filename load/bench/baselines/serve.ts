/** Runs a listener the way the exchange runs: a primary with WORKERS workers. */
import cluster from 'node:cluster';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';

/** Calls `create` in the workers only. */
export function serve(create: () => RequestListener): void {
  if (cluster.isPrimary) runPrimary(Number(process.env.WORKERS));
  else createServer(create()).listen(0, '127.0.0.1');
}

/** In a cluster, all workers that listen on port 0 share one port. */
function runPrimary(workers: number): void {
  let listening = 0;
  cluster.on('listening', (_worker, { port }) => {
    if (++listening === workers) process.stdout.write(`ready endpoint=http://127.0.0.1:${port}/openrtb2\n`);
  });
  cluster.on('exit', () => process.exit(1));
  for (let i = 0; i < workers; i++) cluster.fork();
}

/** Reads and parses a body without limits or checks: the minimum work of a JSON server. */
export function readJson(request: IncomingMessage, onValue: (value: unknown) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => onValue(JSON.parse(Buffer.concat(chunks).toString())));
}
