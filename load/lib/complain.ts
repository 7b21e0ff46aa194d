/** Says what was wrong with an answer, once each virtual user, and not at full length: the draws can be repeated. */
import type { Answer, Checks } from './answer.ts';

const longest = 400;
let hasComplained = false;

export function complain(answer: Answer, checks: Checks): void {
  if (hasComplained) return;
  hasComplained = true;
  const failed = Object.keys(checks).filter((name) => !checks[name]!(answer));
  const { method, url, body } = answer.request;
  const { status, error, headers, timings } = answer;
  const lines = [
    failed.join('; '),
    `${method} ${url} ${body}`,
    `${status} ${error} after ${timings.duration} ms ${JSON.stringify(headers)} ${answer.body ?? ''}`,
  ];
  // oxlint-disable-next-line no-console -- the only way a k6 script can say something
  console.error(lines.map((line) => line.slice(0, longest)).join('\n  '));
}
