/** Runs one case against an exchange of its own or the shared one, and tells which row of the error table answered. */
import { once } from 'node:events';
import type { ErrorName } from '../../src/openrtb/error-table.ts';
import type { Case } from './case-file.ts';
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
    return { answer, row: outcome && 'error' in outcome ? outcome.error.name : rowOfNoRequest(one) };
  } finally {
    if (exchange !== shared) exchange.server.close();
  }
}

const rowOfNoRequest = ({ request }: Case): ErrorName | undefined =>
  request.rawHttp === undefined ? undefined : 'http.malformed';
