/** The requests that the playground offers, written for the sandbox partners. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Example } from '../../contract/console-api.ts';
import { isObject } from '../../json/guards.ts';

const folder = new URL('examples/', import.meta.url);

interface ExampleFile {
  title: string;
  /** A bid request; the native requests in it may be objects, which OpenRTB wants as JSON text. */
  request: { imp: { native?: { request: unknown } }[] };
}

/** In the order of the file names: `1-level-1.json` has the name `level-1`. */
export const readExamples = (): Example[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .map((file) => toExample(file, JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as ExampleFile));

function toExample(file: string, { title, request }: ExampleFile): Example {
  const imp = request.imp.map((one) => (one.native ? { ...one, native: withText(one.native) } : one));
  const body = JSON.stringify({ ...request, imp }, undefined, 2);
  return { name: file.replace(/^\d+-/, '').replace(/\.json$/, ''), title, body };
}

const withText = (native: { request: unknown }): object => ({
  ...native,
  request: isObject(native.request) ? JSON.stringify(native.request) : native.request,
});
