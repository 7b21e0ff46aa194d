/** Who is asking, as the limits see it: the address after trusted proxies, IPv6 by its /56. */
import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { isIP } from 'node:net';

export function clientAddress(request: Request): string {
  const address = request.ip ?? '';
  return ipKeyGenerator(isIP(address) ? address : (request.socket.remoteAddress ?? '0.0.0.0'));
}
