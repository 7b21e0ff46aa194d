/** Where a function of a profile belongs: a folder of the exchange, a package, a part of Node.js. */
import type { SelfTime } from './self-times.ts';

type Frame = SelfTime['frame'];

const root = new URL('../../../', import.meta.url).href;

const longestName = 50;

/** The first that matches a module's name. */
const partsOfNode: [RegExp, string][] = [
  [/^_http_|^internal\/http|^http$/, 'node:http'],
  [/^net$|^internal\/net|^internal\/stream_base_commons/, 'node:net'],
  [/stream/, 'node:stream'],
  [/timers/, 'node:timers'],
  [/^events$/, 'node:events'],
  [/buffer|string_decoder/, 'node:buffer'],
  [/cluster|child_process/, 'node:cluster'],
];

export function groupOf({ url, functionName }: Frame): string {
  const path = pathOf(url);
  if (path === '') return functionName.startsWith('(') ? functionName : 'native functions';
  if (path.startsWith('node:')) {
    const module = path.slice('node:'.length);
    return partsOfNode.find(([pattern]) => pattern.test(module))?.[1] ?? 'node:internal';
  }
  const ofPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path);
  return ofPackage ? ofPackage[1]! : path.split('/').slice(0, 2).join('/');
}

/** Regular expressions are functions too, and named by their text. */
export const nameOf = ({ functionName }: Frame): string =>
  functionName === '' ? '(anonymous)' : functionName.slice(0, longestName);

/** For those that have a place, from the root of the project. */
export function placeOf({ url, lineNumber }: Frame): string {
  const path = pathOf(url);
  return path === '' ? '' : `${path}:${lineNumber + 1}`;
}

const pathOf = (url: string): string =>
  url
    .replace(root, '')
    .replace(new URL(root).pathname, '')
    .replace(/^file:\/\//, '');
