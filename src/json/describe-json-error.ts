/** Explains why a text is not JSON: what is wrong, and at which position. Called only after parsing has failed. */
import { findJsonProblem } from './find-json-problem.ts';

/** Locating an error costs several times as much as parsing: in a longer text, a hostile caller could make it expensive. */
const maxScannedLength = 64 * 1024;

/** For example `trailing comma before ']' at position 12 (line 1, column 13)`. Positions count UTF-16 units from 0. */
export function describeJsonError(text: string): string {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text; // the parser ignores a byte order mark
  if (json.length > maxScannedLength) return describeLongText(json);
  const found = findJsonProblem(json);
  if (!found) return 'the parser rejected it';
  if (/^[ \t\n\r]*$/.test(json)) return 'the text is empty';
  const { problem, at, hint } = found;
  return `${problem} at ${describePosition(json, at)}${hint === undefined ? '' : `; ${hint}`}`;
}

/** V8 names the position of most errors. */
function describeLongText(json: string): string {
  try {
    JSON.parse(json);
    return 'the parser rejected it';
  } catch (error) {
    const [, at] = /at position (\d+)/.exec((error as Error).message) ?? [];
    return at === undefined
      ? `its ${json.length} characters are too many to locate the error`
      : `error at ${describePosition(json, Number(at))}`;
  }
}

function describePosition(text: string, at: number): string {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', lineStart)) {
    line++;
    lineStart = end + 1;
  }
  return `position ${at} (line ${line}, column ${at - lineStart + 1})`;
}
