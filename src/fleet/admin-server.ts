/** The operators' door, in the primary: is it alive, is it ready. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the admin server answers at each path. */
export type AdminPages = Record<string, () => AdminPage>;

export interface AdminPage {
  status: number;
  body: object;
}

export function createAdminServer(pages: AdminPages): Server {
  return createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0]!;
    const page = Object.hasOwn(pages, path) ? pages[path]!() : { status: 404, body: { paths: Object.keys(pages) } };
    response.writeHead(page.status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    response.end(`${JSON.stringify(page.body)}\n`);
  });
}

/** Resolves with the port; rejects where it cannot be had. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
