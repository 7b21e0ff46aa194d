/** The specification's table User; `user.consent` is the OpenRTB 2.6 place of `user.ext.consent`. */
import type { User } from '../bid-request.ts';
import { array, object, oneOf, string, text } from './rules.ts';

export const user = object<User>({
  id: text(),
  gender: string().custom(oneOf('M', 'F', 'O')),
  data: array().items(
    object({
      id: text(),
      name: text(),
      segment: array().items(object({ id: text() })),
    }),
  ),
  ext: object({ consent: text() }),
  consent: text(),
});
