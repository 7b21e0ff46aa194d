/** Compares a response body with the expected one: objects by the members listed, arrays by exact length. */
import { expect } from '@jest/globals';
import { expand } from './case-file.ts';

/** `$any` is a JSON type, `$absent` means that the member is missing, `$json` is text that parses to a matching value. */
export function expectMatch(actual: unknown, expected: unknown, path = 'body'): void {
  if (Array.isArray(expected)) {
    expect({ [path]: Array.isArray(actual) && actual.length }).toEqual({ [path]: expected.length });
    for (const [index, item] of expected.entries())
      expectMatch((actual as unknown[])[index], item, `${path}[${index}]`);
    return;
  }
  if (typeof expected !== 'object' || expected === null) {
    expect({ [path]: actual }).toEqual({ [path]: expected });
    return;
  }
  if ('$absent' in expected) expect({ [path]: actual }).toEqual({ [path]: undefined });
  else if ('$any' in expected) expect({ [path]: typeof actual }).toEqual({ [path]: expected.$any });
  else if ('$json' in expected) expectMatch(JSON.parse(actual as string), expected.$json, `${path}(text)`);
  else if ('$repeat' in expected || '$concat' in expected) expectMatch(actual, expand(expected), path);
  else {
    expect({ [path]: typeof actual }).toEqual({ [path]: 'object' });
    for (const [key, member] of Object.entries(expected)) {
      expectMatch((actual as Record<string, unknown>)[key], member, `${path}.${key}`);
    }
  }
}
