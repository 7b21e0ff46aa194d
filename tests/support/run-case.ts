/** Runs one case against its own exchange or the shared one, and finds the row of the error table that it got. */
import { once } from 'node:events';
import { httpErrors, type ErrorName } from '../../src/http/http-errors.ts';
import type { Case } from './case-file.ts';
import type { ErrorBody } from './error-body.ts';
import type { RawResponse } from './send-raw.ts';
import { sendCase } from './send-case.ts';
import { createTestExchange, type TestExchange, type TestParts } from './test-exchange.ts';

export interface CaseRun {
  response: RawResponse;
  /** The row of the error table; undefined if the response is not an error. */
  row: ErrorName | undefined;
}

export async function startExchange(options?: Case['given'], parts?: TestParts): Promise<TestExchange> {
  const exchange = createTestExchange(options, parts);
  exchange.server.listen(0, '127.0.0.1');
  await once(exchange.server, 'listening');
  return exchange;
}

export async function runCase(one: Case, shared: TestExchange): Promise<CaseRun> {
  const exchange = one.given ? await startExchange(one.given) : shared;
  try {
    for (let sent = 0; sent < (one.given?.sentBefore ?? 0); sent++) await sendCase(exchange.server, one.request);
    const before = exchange.outcomes.length;
    const response = await sendCase(exchange.server, one.request);
    const outcome = exchange.outcomes[before];
    return { response, row: outcome && 'error' in outcome ? (outcome.error.name as ErrorName) : findRow(response) };
  } finally {
    if (exchange !== shared) exchange.server.close();
  }
}

/** Bytes that are not an HTTP request have no outcome, so the row is found by status and reason. */
function findRow({ status, text }: RawResponse): ErrorName | undefined {
  if (status < 400 || text === '') return undefined;
  const { reason } = (JSON.parse(text) as ErrorBody).error.details;
  const found = Object.entries(httpErrors).find(([, row]) => row.status === status && reason.startsWith(row.reason));
  return found?.[0] as ErrorName | undefined;
}
