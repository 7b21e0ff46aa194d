/** The specification's table Device. */
import type { Device } from '../bid-request.ts';
import { integer, number, object, text } from './rules.ts';

export const device = object<Device>({
  ua: text(),
  ip: text(),
  language: text(),
  devicetype: integer().min(1).max(7),
  geo: object({
    lat: number().min(-90).max(90).precision(6),
    lon: number().min(-180).max(180).precision(6),
    country: text(),
  }),
});
