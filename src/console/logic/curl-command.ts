/** Writes a bid request in test mode as a curl command for a POSIX shell. A key comes from the variable `API_KEY`. */
import { tryParse } from '../../json/read-values.ts';
import { inTestMode } from '../../contract/in-test-mode.ts';

/** Linux permits arguments of 128 KiB. A longer body comes from standard input. */
const maxArgumentBytes = 100_000;

export function curlCommand(endpoint: string, body: string, withKey = false): string {
  return [
    `curl -i ${shellQuote(endpoint)}`,
    `-H ${shellQuote('Content-Type: application/json')}`,
    ...(withKey ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    dataOf(inTestMode(body, tryParse(body))),
  ].join(' \\\n  ');
}

function dataOf(body: string): string {
  if (new TextEncoder().encode(body).length <= maxArgumentBytes) return `--data-raw ${shellQuote(body)}`;
  const lines = new Set(body.split('\n'));
  let end = 'EOF';
  while (lines.has(end)) end += '_';
  return `--data-binary @- <<'${end}'\n${body}\n${end}`;
}

/** In single quotes a shell changes nothing; a single quote itself ends them. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
