/** Renders the table of environment variables from the schema that reads them. */
import type { Description } from 'joi';
import { environment } from '../../src/config/environment.ts';

export function configurationTable(): string {
  const variables = Object.entries(environment.describe().keys as Record<string, Description>);
  const rows = variables.map(([name, variable]) => `| \`${name}\` | ${defaultOf(variable)} | ${meaningOf(variable)} |`);
  return ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function defaultOf({ flags, notes }: Description): string {
  const note = notes?.[0];
  if (note !== undefined) return note;
  return `\`${String((flags as { default: unknown }).default)}\``;
}

function meaningOf({ flags, rules, allow, type }: Description): string {
  const { description, only } = flags as { description: string; only?: boolean };
  const limits = (rules ?? []) as { name: string; args?: { limit?: number } }[];
  const limit = (rule: string) => limits.find(({ name }) => name === rule)?.args?.limit;
  const range = type === 'number' && limit('min') !== undefined ? ` (${limit('min')} to ${limit('max')})` : '';
  const choice = only ? ` (${(allow as unknown[]).map((value) => `\`${String(value)}\``).join(', ')})` : '';
  return `${description}${range}${choice}`;
}
