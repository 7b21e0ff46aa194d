/** JSON texts of callers who may send anything. */
import { BadInput } from '../call.ts';

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws BadInput. */
export function parseObject(text: string, at: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadInput(`${at} is not valid JSON`);
  }
  if (!isObject(value)) throw new BadInput(`${at} must be a JSON object`);
  return value;
}
