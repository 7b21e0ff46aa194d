/** The admin HTTP server in the primary: health, readiness, metrics, SLO. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The handler of each path. */
export type AdminRoutes = Record<string, () => AdminResponse | Promise<AdminResponse>>;

export interface AdminResponse {
  status: number;
  /** An object is sent as JSON, a string in the Prometheus text format. */
  body: object | string;
}

export function createAdminServer(routes: AdminRoutes): Server {
  const notFound = (): AdminResponse => ({ status: 404, body: { paths: Object.keys(routes) } });
  return createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0]!;
    void respond(Object.hasOwn(routes, path) ? routes[path]! : notFound, response);
  });
}

/** An exception in a handler becomes a 500; it must not end the primary. */
async function respond(handler: AdminRoutes[string], response: ServerResponse): Promise<void> {
  try {
    send(response, await handler());
  } catch (error) {
    send(response, { status: 500, body: { error: (error as Error).message } });
  }
}

function send(response: ServerResponse, { status, body }: AdminResponse): void {
  const isText = typeof body === 'string';
  response.writeHead(status, {
    'Content-Type': isText ? 'text/plain; version=0.0.4; charset=utf-8' : 'application/json',
    'Cache-Control': 'no-store',
  });
  response.end(isText ? body : `${JSON.stringify(body)}\n`);
}

/** Resolves with the port; rejects if the server cannot listen. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
