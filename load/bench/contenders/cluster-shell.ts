/** Runs a listener as the exchange runs: a primary that hands out the connections, and WORKERS workers. */
import cluster from 'node:cluster';
import { createServer, type RequestListener } from 'node:http';

/** `create` is called in the workers only. */
export function serve(create: () => RequestListener): void {
  if (cluster.isPrimary) runPrimary(Number(process.env.WORKERS));
  else createServer(create()).listen(0, '127.0.0.1');
}

/** Port 0 is one and the same for all of them. */
function runPrimary(workers: number): void {
  let listening = 0;
  cluster.on('listening', (_worker, { port }) => {
    if (++listening === workers) process.stdout.write(`ready endpoint=http://127.0.0.1:${port}/openrtb2\n`);
  });
  cluster.on('exit', () => process.exit(1));
  for (let i = 0; i < workers; i++) cluster.fork();
}
