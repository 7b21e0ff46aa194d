/** The API description, if the project has one as JSON. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AdminRoutes } from '../admin-server.ts';
import { Asset } from './assets.ts';

/** Where this exchange listens, as a caller on this machine reaches it. */
export interface ServerUrls {
  bidding: string;
  admin: string;
}

interface Description {
  servers: object[];
  paths: Record<string, { servers?: object[] }>;
}

const file = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url));

/** No route if the file does not exist, so that the response is 404. `urls` is undefined until the workers listen. */
export function openApiRoute(urls: () => ServerUrls | undefined): AdminRoutes {
  const text = readText();
  if (text === undefined) return {};
  let asset: Asset | undefined;
  const assetOf = (known: ServerUrls) => (asset ??= new Asset(file, Buffer.from(withServers(text, known))));
  const current = () => {
    const known = urls();
    return known ? assetOf(known) : new Asset(file, Buffer.from(text));
  };
  return { '/openapi.json': { maxBodyBytes: 0, handle: (request) => current().respond(request) } };
}

function readText(): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** The file has the addresses of `make run`. */
function withServers(text: string, { bidding, admin }: ServerUrls): string {
  const description = JSON.parse(text) as Description;
  description.servers = [{ url: bidding, description: 'The bidding endpoint (settings HOST and PORT).' }];
  for (const path of Object.values(description.paths))
    if (path.servers)
      path.servers = [{ url: admin, description: 'The admin server (settings ADMIN_HOST and ADMIN_PORT).' }];
  return JSON.stringify(description);
}
