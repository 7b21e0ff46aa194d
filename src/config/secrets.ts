/** Replaces `{"env": "NAME"}` in the partners file by the value of that environment variable. */
import { isNonEmptyString, isObject } from '../json/guards.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface ResolvedSecrets {
  content: unknown;
  /** The variable of every value that was replaced, by the path of the value. */
  sources: ReadonlyMap<string, string>;
  /** One for every variable that is not set. */
  problems: string[];
}

export function resolveSecrets(content: unknown, variables: Variables): ResolvedSecrets {
  const sources = new Map<string, string>();
  const problems: string[] = [];
  const resolve = (value: unknown, path: (string | number)[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => resolve(item, [...path, index]));
    if (!isObject(value)) return value;
    const variable = variableOf(value);
    if (variable === undefined) {
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolve(member, [...path, key])]));
    }
    sources.set(path.join('.'), variable);
    const secret = variables[variable];
    if (!secret) problems.push(`${formatPath(path)}: the environment variable ${variable} is not set`);
    return secret ?? '';
  };
  return { content: resolve(content, []), sources, problems };
}

function variableOf(value: Record<string, unknown>): string | undefined {
  return Object.keys(value).length === 1 && isNonEmptyString(value.env) ? value.env : undefined;
}

const formatPath = (path: readonly (string | number)[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .slice(1);
