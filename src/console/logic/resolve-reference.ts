/** Follows references within an OpenAPI document. */
import { asObject, type JsonObject } from '../../json/read-values.ts';

/** Returns a value that is no reference as it is; what does not exist is an empty object. */
export function resolveReference(root: JsonObject, value: unknown): JsonObject {
  let target = asObject(value);
  for (let hops = 0; typeof target.$ref === 'string' && hops < 10; hops += 1) {
    const path = target.$ref.replace(/^#\//, '').split('/');
    const names = path.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    target = asObject(names.reduce<unknown>((parent, name) => asObject(parent)[name], root));
  }
  return target;
}
