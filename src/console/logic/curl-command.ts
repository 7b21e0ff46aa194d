/** Writes a bid request in test mode as a curl command for a POSIX shell. A key comes from the variable `API_KEY`. */
import { tryParse } from '../../json/read-values.ts';
import { needsTestMode } from '../../contract/needs-test-mode.ts';

/** Linux permits arguments of 128 KiB. A longer body comes from standard input. */
const maxArgumentBytes = 100_000;

export function curlCommand(endpoint: string, body: string, withKey = false): string {
  return [
    `curl -i ${shellQuote(endpoint)}`,
    `-H ${shellQuote('Content-Type: application/json')}`,
    ...(withKey ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    dataOf(inTestMode(body)),
  ].join(' \\\n  ');
}

function dataOf(body: string): string {
  if (new TextEncoder().encode(body).length <= maxArgumentBytes) return `--data-raw ${shellQuote(body)}`;
  const lines = new Set(body.split('\n'));
  let end = 'EOF';
  while (lines.has(end)) end += '_';
  return `--data-binary @- <<'${end}'\n${body}\n${end}`;
}

/** Unchanged if it is not a JSON object, as in the playground. */
function inTestMode(body: string): string {
  const value = tryParse(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return body;
  return needsTestMode('test' in value ? value.test : undefined)
    ? JSON.stringify({ ...value, test: 1 }, undefined, 2)
    : body;
}

/** In single quotes a shell changes nothing; a single quote itself ends them. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
