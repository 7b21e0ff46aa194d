/** The line that the primary prints when it is ready. */
import type { Config } from '../config/config.ts';
import { urlOf } from '../format/url-of.ts';
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
    `pid=${process.pid}`,
  ].join(' ');
}
