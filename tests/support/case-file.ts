/** Reads the test cases: one JSON file per case, whose name states the expected behaviour. */
import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../src/json/guards.ts';
import type { ExchangeOptions } from './test-exchange.ts';

export interface Case {
  /** Folder and file name without its extension. */
  name: string;
  description: string;
  given?: ExchangeOptions & {
    /** The number of times the request is sent before the one that is checked. */
    sentBefore?: number;
  };
  request: CaseRequest;
  expected: {
    status: number;
    headers?: Record<string, string>;
    body?: unknown;
    /** The body that an OpenRTB partner receives. */
    partnerRequest?: unknown;
  };
}

export interface CaseRequest {
  method?: string;
  path?: string;
  /** `null` removes a header that is sent by default. */
  headers?: Record<string, string | null>;
  body?: unknown;
  /** A string, or a shorthand for one. */
  rawBody?: unknown;
  rawBodyBase64?: string;
  /** Pads the body with blanks to this number of bytes. */
  padTo?: number;
  gzip?: boolean;
  /** Sends only this number of bytes of the body and leaves the connection open. */
  stallAfter?: number;
  /** Written to the socket unchanged; replaces all of the above. */
  rawHttp?: unknown;
}

const casesFolder = fileURLToPath(new URL('../cases', import.meta.url));

export function readCases(): Case[] {
  const files = readdirSync(casesFolder, { recursive: true, withFileTypes: true }).filter(({ name }) =>
    name.endsWith('.json'),
  );
  return files
    .map(({ parentPath, name }) => {
      const path = `${parentPath}/${name}`;
      const content = JSON.parse(readFileSync(path, 'utf8')) as Omit<Case, 'name'>;
      return { name: relative(casesFolder, path).replace(/\.json$/, ''), ...content };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Expands the shorthands `{"$json": v}` (the JSON text of v), `{"$repeat": [part, n]}` (a string or array, n times) and
 * `{"$concat": [...]}` (strings or arrays joined), and `{"$members": n}` (an object with n members, `m1` and so on).
 */
export function expand(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expand);
  if (!isObject(value)) return value;
  const [[key, content] = ['', undefined], ...others] = Object.entries(value);
  if (others.length === 0) {
    if (key === '$json') return JSON.stringify(expand(content));
    if (key === '$repeat') return repeat(...(content as [string | unknown[], number]));
    if (key === '$members') return members(content as number);
    if (key === '$concat') return concat(expand(content) as string[] | unknown[][]);
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expand(member)]));
}

const concat = (parts: string[] | unknown[][]): string | unknown[] =>
  typeof parts[0] === 'string' ? parts.join('') : parts.flat();

function repeat(part: string | unknown[], times: number): string | unknown[] {
  if (typeof part === 'string') return part.repeat(times);
  return Array.from({ length: times }, () => expand(part) as unknown[]).flat();
}

const members = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index + 1}`, 0]));
