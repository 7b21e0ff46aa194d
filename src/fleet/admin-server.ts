/** The operators' door, in the primary: is it alive, is it ready. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the admin server answers at each path. */
export type AdminPages = Record<string, () => AdminPage | Promise<AdminPage>>;

export interface AdminPage {
  status: number;
  /** An object goes out as JSON, text as Prometheus reads it. */
  body: object | string;
}

export function createAdminServer(pages: AdminPages): Server {
  return createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0]!;
    const unknown = (): AdminPage => ({ status: 404, body: { paths: Object.keys(pages) } });
    const page = Object.hasOwn(pages, path) ? pages[path]! : unknown;
    void answer(page, response);
  });
}

/** A page that fails is a 500, never the end of the primary. */
async function answer(page: AdminPages[string], response: ServerResponse): Promise<void> {
  try {
    send(response, await page());
  } catch (error) {
    send(response, { status: 500, body: { error: (error as Error).message } });
  }
}

function send(response: ServerResponse, { status, body }: AdminPage): void {
  const isText = typeof body === 'string';
  response.writeHead(status, {
    'Content-Type': isText ? 'text/plain; version=0.0.4; charset=utf-8' : 'application/json',
    'Cache-Control': 'no-store',
  });
  response.end(isText ? body : `${JSON.stringify(body)}\n`);
}

/** Resolves with the port; rejects where it cannot be had. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
