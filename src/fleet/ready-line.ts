/** The line that the primary prints when it is ready, and the URLs in it. */
import type { Config } from '../config/config.ts';
import { isConsoleOn } from './console/console-access.ts';

/** Scripts parse this line: keep its format. */
export function readyLine(
  { endpoint, admin, workers, redis, partners }: Config,
  port: number,
  adminPort: number,
): string {
  const adminUrl = urlOf(admin.host, adminPort);
  return [
    'gavel ready',
    `endpoint=${urlOf(endpoint.host, port)}/openrtb2`,
    `admin=${adminUrl}`,
    `workers=${workers}`,
    `limits=${redis ? 'redis' : 'embedded'}`,
    `demand=${partners ? 'file' : 'sandbox'}`,
    ...(isConsoleOn(admin) ? [`console=${adminUrl}/console/`] : []),
  ].join(' ');
}

export const urlOf = (host: string, port: number): string => `http://${connectableHost(host)}:${port}`;

/** Replaces a wildcard address by the loopback address, and puts an IPv6 address in brackets. */
function connectableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
