/** Reads values of unknown JSON. */
import { isObject, type JsonObject } from './guards.ts';

export type { JsonObject };

export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

export const asString = (value: unknown): string => (typeof value === 'string' ? value : '');

export const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Undefined if the text is not JSON. A byte order mark is ignored, as by the exchange. */
export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) as unknown;
  } catch {
    return undefined;
  }
}
