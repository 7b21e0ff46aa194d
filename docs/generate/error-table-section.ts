/** The error table, from the rows themselves; what each says is read off the answer that its exemplar gets. */
import { type ErrorName, errorTable } from '../../src/http/http-errors.ts';
import { type Case, readCases } from '../../tests/support/case-file.ts';
import type { ErrorBody } from '../../tests/support/error-body.ts';
import { runCase, startExchange } from '../../tests/support/run-case.ts';

export async function errorTableSection(): Promise<string> {
  const exemplars = await findExemplars();
  const rows = Object.entries(errorTable).map(([name, { status, code, message }]) => {
    const exemplar = exemplars.get(name as ErrorName);
    if (!exemplar) throw new Error(`the row ${name} has no exemplar`);
    const { field, reason } = exemplar.details;
    const link = `[${exemplar.name.split('/')[1]!.replaceAll('-', ' ')}](/tests/cases/${exemplar.name}.json)`;
    return `| ${status} | \`${code}\` | ${message} | ${field ? `\`${field}\`` : ''} | ${reason} | ${link} |`;
  });
  const head = [
    '| status | `code` | `message` | `field` | `reason` | an example |',
    '| --- | --- | --- | --- | --- | --- |',
  ];
  return [...head, ...new Set(rows)].join('\n');
}

interface Exemplar {
  name: string;
  details: ErrorBody['error']['details'];
}

/** For each row the case with the shortest name that is answered by it: the plainest. */
async function findExemplars(): Promise<Map<ErrorName, Exemplar>> {
  const shared = await startExchange();
  const found = new Map<ErrorName, Exemplar>();
  try {
    const plainestFirst = readCases().sort((a: Case, b: Case) => a.name.length - b.name.length);
    for (const one of plainestFirst) {
      if (one.expected.status < 400 || one.request.method === 'HEAD' || one.name.startsWith('order/')) continue;
      const { answer, row } = await runCase(one, shared);
      if (!row || found.has(row)) continue;
      found.set(row, { name: one.name, details: (JSON.parse(answer.text) as ErrorBody).error.details });
    }
    return found;
  } finally {
    shared.server.close();
  }
}
