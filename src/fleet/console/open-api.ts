/** The API description, if the project has one as JSON. */
import { fileURLToPath } from 'node:url';
import type { AdminRoutes } from '../admin-server.ts';
import { readAsset } from './assets.ts';

const file = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url));

/** No route if the file does not exist, so that the response is 404. */
export function openApiRoute(): AdminRoutes {
  const asset = readAsset(file);
  return asset ? { '/openapi.json': { maxBodyBytes: 0, handle: (request) => asset.respond(request) } } : {};
}
