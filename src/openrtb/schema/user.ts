/** The specification's table User; `user.consent` is the OpenRTB 2.6 place of `user.ext.consent`. */
import type { User } from '../bid-request.ts';
import { isObject, isTextOrAbsent, list } from './list.ts';
import { object, oneOf, string, text } from './rules.ts';

const isPlainSegment = (segment: unknown): boolean => isObject(segment) && isTextOrAbsent(segment.id);

const isPlainData = (data: unknown): boolean =>
  isObject(data) &&
  isTextOrAbsent(data.id) &&
  isTextOrAbsent(data.name) &&
  (data.segment === undefined || (Array.isArray(data.segment) && data.segment.every(isPlainSegment)));

const data = object({
  id: text(),
  name: text(),
  segment: list(object({ id: text() }), isPlainSegment),
});

export const user = object<User>({
  id: text(),
  gender: string().custom(oneOf('M', 'F', 'O')),
  data: list(data, isPlainData),
  ext: object({ consent: text() }),
  consent: text(),
});
