/** The specification's table User, with consent at its OpenRTB 2.6 path (`user.consent`) beside `user.ext.consent`. */
import type { User } from '../bid-request.ts';
import { list } from './list.ts';
import { object, oneOf, string, text } from './rules.ts';

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
