/** What can one sender make a worker do? Sends the worst value of each part of a message and compares its CPU time with a plain one's. */
import { table, writeResults } from '../results.ts';
import type { AuditCase } from './audit-case.ts';
import { ExchangeUnderAudit } from './exchange-under-audit.ts';
import { listCases } from './list-cases.ts';
import { measureCarefully, type Measured, PlainCosts, screen } from './measure.ts';
import { mixedCases } from './mixed-cases.ts';
import { auditTable, failures, maxCpuMs, maxRatio, worstPerPart } from './report.ts';
import { pairCases } from './pair-cases.ts';
import { requestCases } from './request-cases.ts';
import { responseCases } from './response-cases.ts';
import { transportCases } from './transport-cases.ts';

/** Cases above this are measured again, carefully. */
const suspiciousRatio = 3;
const suspiciousMs = maxCpuMs / 2;
/** Cases of one part that are measured again for their ratio. */
const perPart = 2;
const printedRows = 40;
const recordedRows = 20;
const costliestRows = 5;

const startedAtMs = performance.now();
const exchange = await ExchangeUnderAudit.start();
const plain = new PlainCosts(exchange);

const screened: { one: AuditCase; result: Measured }[] = [];
for await (const one of allCases()) {
  const result = await screen(exchange, one, plain);
  screened.push({ one, result });
  if (result.cpuMs > suspiciousMs) await exchange.settle();
  progress(`screened ${screened.length} cases`, screened.length);
}

const suspicious = screened.filter(({ result }) => result.ratio > suspiciousRatio || result.cpuMs > suspiciousMs);
const careful: Measured[] = [];
for (const { one, result } of toMeasureAgain(suspicious)) {
  careful.push(await measureCarefully(exchange, one, result));
  progress(`measured ${careful.length} suspicious cases again`, careful.length);
}
process.stderr.write('\n');
if (screened.length === 0) {
  process.stderr.write(`AUDIT must be contained in the name of a part; got ${process.env.AUDIT}\n`);
  process.exit(2);
}

const unsuspicious = screened.filter((one) => !suspicious.includes(one)).map(({ result }) => result);
const measured = [...careful, ...unsuspicious];
const rows = worstPerPart(measured, 'ratio');
const costliest = worstPerPart(measured, 'cpuMs');
const failed = failures(measured);
report();
process.exit(failed.length > 0 ? 1 : 0);

/** With AUDIT=text, those whose part contains the text. */
async function* allCases(): AsyncGenerator<AuditCase> {
  const isSelected = (part: string) => part.includes(process.env.AUDIT ?? '');
  const accepts = async (request: Buffer) => (await exchange.measure([{ request }])).status < 400;
  for (const one of [...transportCases, ...(await mixedCases(accepts)), ...listCases()])
    if (isSelected(one.part)) yield one;
  yield* pairCases(accepts, isSelected);
  yield* responseCases(isSelected);
  yield* requestCases(isSelected);
}

/** Of each part, the cases with the highest ratios and the one that takes the most CPU time. */
function toMeasureAgain(all: typeof screened): typeof screened {
  const byPart = Map.groupBy(all, ({ one }) => one.part);
  return [...byPart.values()].flatMap((ofPart) => {
    const byRatio = ofPart.toSorted((a, b) => b.result.ratio - a.result.ratio).slice(0, perPart);
    const [costliest] = ofPart.toSorted((a, b) => b.result.cpuMs - a.result.cpuMs);
    return [...new Set([...byRatio, costliest!])];
  });
}

function progress(text: string, count: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}  `);
  else if (count % 1_000 === 0) process.stderr.write(`${text}\n`);
}

function report(): void {
  const minutes = ((performance.now() - startedAtMs) / 60_000).toFixed(1);
  process.stdout.write(`${auditTable(rows.slice(0, printedRows)).join('\n')}\n\n`);
  const summary = [
    ['parts audited', String(rows.length), ''],
    ['cases', String(screened.length), ''],
    [`cases above ${suspiciousRatio} ×, measured again`, String(careful.length), ''],
    ['highest ratio', `${rows[0]!.ratio.toFixed(1)} ×`, `at most ${maxRatio} ×`],
    ['most CPU time of one request', `${costliest[0]!.cpuMs.toFixed(1)} ms`, `at most ${maxCpuMs} ms`],
    ['cases above a limit', String(failed.length), '0'],
  ];
  writeResults('Cost audit: the worst request and response', 'make audit', [
    `For each field of the request, each member of a partner's response and the HTTP messages around them, the worst of many values: long, many, deep, distinct, or pathological for its parser. CPU time of the worker per request, as accounted by the kernel, compared with a plain request and plain responses of the same size. One worker with an \`openrtb\`, a \`product-search\` and a \`house\` partner. The whole audit took ${minutes} minutes.`,
    '',
    ...table(['figure', 'measured', 'limit'], summary),
    '',
    `The ${recordedRows} worst parts:`,
    '',
    ...auditTable(rows.slice(0, recordedRows)),
    '',
    `The ${costliestRows} costliest parts:`,
    '',
    ...auditTable(costliest.slice(0, costliestRows)),
  ]);
}
