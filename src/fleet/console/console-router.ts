/** The paths of the console: redirect, static files, API; and the checks that come before a request is handled. */
import type { IncomingMessage } from 'node:http';
import { type AdminResponse, type AdminStream, textResponse } from '../admin-response.ts';
import { type AdminConsole, type AdminRoute, methodNotAllowed, pathOf } from '../admin-server.ts';
import type { Asset } from './assets.ts';
import { apiError, type ApiRoute, tooManyLogins } from './console-api.ts';
import type { ConsoleAccess } from './console-access.ts';

export interface RouterParts {
  access: ConsoleAccess;
  api: Record<string, ApiRoute>;
  /** Undefined if the console has not been built. */
  assets: ReadonlyMap<string, Asset> | undefined;
}

const base = '/console/';
const apiBase = `${base}api/`;

/** Images of ads load from anywhere over HTTPS, but only when the user asks for them. */
const securityHeaders = {
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' data: https:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export const createConsoleRouter = (parts: RouterParts): AdminConsole => ({
  path: base,
  route(request) {
    const path = pathOf(request);
    if (path !== '/' && path !== '/console' && !path.startsWith(base)) return undefined;
    const selected = select(parts, request, path);
    if (!('handle' in selected)) return secured(selected);
    const handle: AdminRoute['handle'] = async (...call) => secured(await selected.handle(...call));
    return { ...selected, handle };
  },
});

const secured = <Sent extends AdminResponse | AdminStream>(sent: Sent): Sent => ({
  ...sent,
  headers: { ...securityHeaders, ...sent.headers },
});

function select(parts: RouterParts, request: IncomingMessage, path: string): AdminRoute | AdminResponse {
  const { access } = parts;
  if (access.offReason !== undefined) return textResponse(403, access.offReason);
  if (access.isForeignHost(request)) {
    return textResponse(403, 'without ADMIN_TOKEN the console needs localhost or an IP address in the Host header');
  }
  return path.startsWith(apiBase) ? selectApi(parts, request, path) : selectPage(parts, request, path);
}

function selectApi({ access, api }: RouterParts, request: IncomingMessage, path: string): AdminRoute | AdminResponse {
  const name = path.slice(apiBase.length);
  const route = Object.hasOwn(api, name) ? api[name]! : undefined;
  if (!route) return apiError(404, `${apiBase} has ${Object.keys(api).join(', ')}`);
  const isGet = request.method === 'GET' || request.method === 'HEAD';
  if (route.method === 'GET' ? !isGet : request.method !== 'POST') {
    return methodNotAllowed(route.method === 'GET' ? 'GET, HEAD' : 'POST');
  }
  if (route.method === 'POST' && access.isCrossSite(request)) {
    return apiError(403, 'a POST needs the Origin of this server, or Authorization: Bearer if ADMIN_TOKEN is set');
  }
  if (access.isFromOtherPage(request)) return apiError(403, 'a page of another origin may not use the API');
  if (route.isOpen) return route;
  const result = access.check(request);
  if (result === 'limited') return tooManyLogins();
  return result === 'allowed' ? route : apiError(401, 'log in, or send Authorization: Bearer with ADMIN_TOKEN');
}

function selectPage({ assets }: RouterParts, request: IncomingMessage, path: string): AdminRoute | AdminResponse {
  if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed('GET, HEAD');
  if (!path.startsWith(base)) return textResponse(302, base, { Location: base });
  if (!assets) return textResponse(503, 'the console has not been built: run `make console` and restart the exchange');
  const asset = assets.get(path.slice(base.length) || 'index.html');
  if (!asset) return textResponse(404, `there is no such file; the console starts at ${base}`);
  return { maxBodyBytes: 0, handle: (received) => asset.respond(received) };
}
