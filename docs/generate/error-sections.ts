/** The generated parts of docs/errors.md: the error body, the codes and the table of all errors. */
import { type ErrorName, errorTable } from '../../src/http/http-errors.ts';
import { type Case, readCases } from '../../tests/support/case-file.ts';
import type { ErrorBody } from '../../tests/support/error-body.ts';
import { runCase, startExchange } from '../../tests/support/run-case.ts';
import { errorCodes } from './error-codes.ts';

export const exampleRequestId = '8f6c3e5e-2a54-4c59-9d3c-0d1f5a2b7c11';

/** The error body that a test case expects, with a fixed request id. */
export function errorBodySection(): string {
  const found = readCases().find(
    ({ name }) => name === 'examples/bidfloor-as-a-string-is-rejected-with-the-whole-error-body',
  )!;
  const { error } = found.expected.body as ErrorBody;
  const body = { error: { ...error, request_id: exampleRequestId } };
  return `\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``;
}

/** One section per code. */
export function errorCodesSection(): string {
  const rows = Object.values(errorTable);
  const sections = Object.entries(errorCodes).map(([code, { meaning, action }]) => {
    const ofCode = rows.filter((row) => row.code === code);
    const statuses = [...new Set(ofCode.map(({ status }) => status))].join(' or ');
    const messages = [...new Set(ofCode.map(({ message }) => `"${message}"`))].join(', ');
    return `### \`${code}\`\n\nStatus ${statuses}. Message: ${messages}.\n\n${meaning}\n\n**What to do:** ${action}`;
  });
  return sections.join('\n\n');
}

/** One row per row of the error table, with field and reason of an example. */
export async function errorTableSection(): Promise<string> {
  const examples = await findExamples();
  const rows = Object.entries(errorTable).map(([name, { status, code, message }]) => {
    const example = examples.get(name as ErrorName);
    if (!example) throw new Error(`the error ${name} has no case`);
    const { field, reason } = example.body.error.details;
    const link = `[${example.name.split('/')[1]!.replaceAll('-', ' ')}](/tests/cases/${example.name}.json)`;
    return `| \`${name}\` | ${status} | \`${code}\` | ${message} | ${field ? `\`${field}\`` : ''} | ${escapeCell(reason)} | ${link} |`;
  });
  const head = [
    '| name | status | code | message | field | reason | example |',
    '| --- | --- | --- | --- | --- | --- | --- |',
  ];
  return [...head, ...new Set(rows)].join('\n');
}

const escapeCell = (text: string): string => text.replaceAll(/[|_*<>\\]/g, '\\$&');

export interface ErrorExample {
  name: string;
  /** The case whose response is the example. */
  from: Case;
  body: ErrorBody;
}

let examples: Promise<Map<ErrorName, ErrorExample>> | undefined;

/** The plainest case for each row of the error table. The cases run once. */
export const findExamples = (): Promise<Map<ErrorName, ErrorExample>> => (examples ??= runErrorCases());

async function runErrorCases(): Promise<Map<ErrorName, ErrorExample>> {
  const shared = await startExchange();
  const found = new Map<ErrorName, ErrorExample>();
  try {
    const cases = readCases().filter((one) => one.expected.status >= 400 && one.request.method !== 'HEAD');
    for (const one of cases.sort((a, b) => plainness(a) - plainness(b))) {
      const { response, row } = await runCase(one, shared);
      if (row && !found.has(row))
        found.set(row, { name: one.name, from: one, body: JSON.parse(response.text) as ErrorBody });
    }
    return found;
  } finally {
    shared.server.close();
  }
}

/** Lower is plainer: short names first, cases about several errors, the order of checks or raw bytes last. */
function plainness({ name, request }: Case): number {
  const isSpecial =
    name.includes('-before-') || /^(order|examples\/rules)\//.test(name) || request.rawHttp !== undefined;
  return name.length + (isSpecial ? 1_000 : 0);
}
