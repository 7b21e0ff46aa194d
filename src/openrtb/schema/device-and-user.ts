/** The specification's tables Device and User, with consent at its OpenRTB 2.6 path (`user.consent`) too. */
import type { Device, User } from '../bid-request.ts';
import { list } from './list.ts';
import { integer, number, object, oneOf, string, text } from './rules.ts';

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

const data = object({
  id: text(),
  name: text(),
  segment: list(object({ id: text() })),
});

export const user = object<User>({
  id: text(),
  gender: string().custom(oneOf('M', 'F', 'O')),
  data: list(data),
  ext: object({ consent: text() }),
  consent: text(),
});
