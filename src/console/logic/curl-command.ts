/** Writes a bid request in test mode as a curl command for a POSIX shell. A key comes from the variable `API_KEY`. */
import { tryParse } from './json-guards.ts';

export function curlCommand(endpoint: string, body: string, withKey = false): string {
  return [
    `curl -i ${shellQuote(endpoint)}`,
    `-H ${shellQuote('Content-Type: application/json')}`,
    ...(withKey ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    `--data-raw ${shellQuote(inTestMode(body))}`,
  ].join(' \\\n  ');
}

/** Unchanged if it is not a JSON object, as in the playground. */
function inTestMode(body: string): string {
  const value = tryParse(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return body;
  return 'test' in value && value.test === 1 ? body : JSON.stringify({ ...value, test: 1 }, undefined, 2);
}

/** In single quotes a shell changes nothing; a single quote itself ends them. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
