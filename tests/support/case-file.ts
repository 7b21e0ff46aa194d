/** Cases as data: one JSON file a case, its name the claim. Reads them and spells out their shorthands. */
import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../src/json/guards.ts';
import type { Given } from './test-exchange.ts';

export interface Case {
  /** Folder and file without its ending: the claim. */
  name: string;
  description: string;
  given?: Given & {
    /** How often the request was sent before. */
    sentBefore?: number;
  };
  request: CaseRequest;
  expected: { status: number; headers?: Record<string, string>; body?: unknown };
}

export interface CaseRequest {
  method?: string;
  path?: string;
  /** `null` takes a header away that would be sent by default. */
  headers?: Record<string, string | null>;
  body?: unknown;
  /** Text, or a shorthand for it. */
  rawBody?: unknown;
  rawBodyBase64?: string;
  /** The body is padded with blanks to so many bytes. */
  padTo?: number;
  gzip?: boolean;
  /** Only so many bytes of the body are sent, then nothing more comes. */
  stallAfter?: number;
  /** Bytes written to the socket as they are, instead of all the above. */
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
 * Spells out `{"$json": v}` (the JSON text of v), `{"$repeat": [part, n]}` (a string or array n times over) and
 * `{"$concat": [...]}` (strings joined).
 */
export function spellOut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spellOut);
  if (!isObject(value)) return value;
  const [[key, content] = ['', undefined], ...others] = Object.entries(value);
  if (others.length === 0) {
    if (key === '$json') return JSON.stringify(spellOut(content));
    if (key === '$repeat') return repeat(...(content as [string | unknown[], number]));
    if (key === '$concat') return (spellOut(content) as string[]).join('');
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, spellOut(member)]));
}

function repeat(part: string | unknown[], times: number): string | unknown[] {
  if (typeof part === 'string') return part.repeat(times);
  return Array.from({ length: times }, () => spellOut(part) as unknown[]).flat();
}
