/** Every case of tests/trace/cases: the trace headers of a caller, and those that a partner receives from it without tracing. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseTraceContext } from '../../src/trace/trace-context.ts';
import { expand } from '../support/case-file.ts';
import { numRuns } from '../support/num-runs.ts';
import { startTracedExchange, type TracedExchange } from './traced-exchange.ts';

interface TraceCase {
  description: string;
  /** A list is sent as several headers. */
  headers: Record<string, string | string[]>;
  /** The `regs` of the request. */
  regs?: object;
  passedOn: { traceparent?: string; tracestate?: string };
}

const folder = fileURLToPath(new URL('cases', import.meta.url));
const cases = readdirSync(folder).map((file) => {
  const content = expand(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'))) as TraceCase;
  return [file.replace(/\.json$/, ''), content] as const;
});

let exchange: TracedExchange;
beforeAll(async () => {
  exchange = await startTracedExchange();
});
afterAll(() => exchange.close());

test.each(cases)('%s', async (_name, { headers, regs, passedOn }) => {
  const received = await exchange.send(headers, regs);
  expect(received).toMatchObject({ status: 200, passedOn });
  expect(Object.keys(received.passedOn)).toEqual(Object.keys(passedOn));
  expect(received.facts.traceId).toBe(passedOn.traceparent?.slice(3, 35));
});

const hexDigits = '0123456789abcdef'.split('');

/** As the recommendation defines version 00, written without a regular expression. */
function isValid(traceparent: string): boolean {
  const hex = (text: string | undefined, digits: number) =>
    text?.length === digits && text.split('').every((digit) => hexDigits.includes(digit));
  const isZero = (text: string) => text === '0'.repeat(text.length);
  const [version, traceId, parentId, flags, ...others] = traceparent.split('-');
  if (others.length > 0 || version !== '00' || !hex(flags, 2)) return false;
  return hex(traceId, 32) && hex(parentId, 16) && !isZero(traceId!) && !isZero(parentId!);
}

const hexOf = (digits: number) =>
  fc.array(fc.constantFrom(...hexDigits), { minLength: digits, maxLength: digits }).map((all) => all.join(''));
const fields = fc.tuple(fc.oneof(fc.constant('00'), hexOf(2)), hexOf(32), hexOf(16), hexOf(2));
const plausible = fields.map((all) => all.join('-'));
/** One character of a plausible header replaced, removed or added. */
const damaged = fc
  .tuple(plausible, fc.nat(55), fc.nat(1), fc.string({ maxLength: 2 }))
  .map(([text, at, removed, added]) => text.slice(0, at) + added + text.slice(at + removed));

describe('any header', () => {
  test('is ignored, or a valid traceparent of the same trace is passed on', () => {
    fc.assert(
      fc.property(
        fc.oneof(plausible, damaged, fc.string()),
        fc.oneof(fc.string(), fc.constant(undefined)),
        (parent, state) => {
          const context = parseTraceContext(parent, state);
          if (!context) return expect(isValid(parent)).toBe(false);
          const { traceparent, tracestate } = context.headers;
          expect(isValid(traceparent!)).toBe(true);
          expect(traceparent!.slice(2, 53)).toBe(parent.slice(2, 53));
          if (parent.startsWith('00')) expect(traceparent).toBe(parent);
          if (tracestate !== undefined) expect(tracestate).toBe(state);
        },
      ),
      { numRuns: numRuns(20_000) },
    );
  });
});
