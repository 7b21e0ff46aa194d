/** Runs one case against an exchange of its own or the shared one, and tells which row of the error table answered. */
import { once } from 'node:events';
import { httpErrors, type ErrorName } from '../../src/http/http-errors.ts';
import type { Case } from './case-file.ts';
import type { ErrorBody } from './error-body.ts';
import type { RawAnswer } from './send-raw.ts';
import { sendCase } from './send-case.ts';
import { createTestExchange, type TestExchange } from './test-exchange.ts';

export interface CaseRun {
  answer: RawAnswer;
  /** The row that answered; those who do not speak HTTP never get as far as an outcome. */
  row: ErrorName | undefined;
}

export async function startExchange(given?: Case['given']): Promise<TestExchange> {
  const exchange = createTestExchange(given);
  exchange.server.listen(0, '127.0.0.1');
  await once(exchange.server, 'listening');
  return exchange;
}

export async function runCase(one: Case, shared: TestExchange): Promise<CaseRun> {
  const exchange = one.given ? await startExchange(one.given) : shared;
  try {
    for (let sent = 0; sent < (one.given?.sentBefore ?? 0); sent++) await sendCase(exchange.server, one.request);
    const before = exchange.outcomes.length;
    const answer = await sendCase(exchange.server, one.request);
    const outcome = exchange.outcomes[before];
    return { answer, row: outcome && 'error' in outcome ? (outcome.error.name as ErrorName) : rowByWords(answer) };
  } finally {
    if (exchange !== shared) exchange.server.close();
  }
}

/** What is no request has no outcome either: its row is known by what it says. */
function rowByWords({ status, text }: RawAnswer): ErrorName | undefined {
  if (status < 400 || text === '') return undefined;
  const { reason } = (JSON.parse(text) as ErrorBody).error.details;
  const found = Object.entries(httpErrors).find(([, row]) => row.status === status && row.reason === reason);
  return found?.[0] as ErrorName | undefined;
}
