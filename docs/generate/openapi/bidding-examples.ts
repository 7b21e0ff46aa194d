/** The examples of the bidding endpoint, from the test cases: requests with their responses, and one per error. */
import { isObject } from '../../../src/json/guards.ts';
import { type ErrorName, errorTable } from '../../../src/http/http-errors.ts';
import { type Case, expand, readCases } from '../../../tests/support/case-file.ts';
import { exampleRequestId, findExamples } from '../error-sections.ts';

export interface Example {
  summary: string;
  description?: string;
  value: unknown;
  /** The request that gets this response, if it can be sent as it is. */
  'x-request'?: ExampleRequest;
}

export interface ExampleRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
  /** A body that is not JSON. */
  rawBody?: string;
}

export type Examples = Record<string, Example>;

const titleOf = (name: string): string => name.split('/').at(-1)!.replaceAll('-', ' ');

/** The accepted requests of docs/integrating.md and their responses, by name. */
export function acceptedExamples(): { requests: Examples; responses: Examples } {
  const cases = readCases().filter(({ name, expected }) => /^examples\/[^/]+$/.test(name) && expected.status < 400);
  const requests: Examples = {};
  const responses: Examples = {};
  for (const { name, description, request, expected } of cases) {
    const key = name.split('/')[1]!;
    requests[key] = { summary: titleOf(name), description, value: expand(request.body) };
    if (expected.body !== undefined)
      responses[key] = { summary: titleOf(name), description, value: fillAny(expand(expected.body)) };
  }
  return { requests, responses };
}

/** `{"$any": "number"}` stands for a value that varies. */
function fillAny(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fillAny);
  if (!isObject(value)) return value;
  if ('$any' in value) return value.$any === 'number' ? 12 : 'any';
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillAny(member)]));
}

/** The examples of one status, by the row of the error table. */
export async function errorExamples(status: number): Promise<Examples> {
  const found = await findExamples();
  const rows = Object.entries(errorTable).filter(([, row]) => row.status === status);
  return Object.fromEntries(
    rows.map(([row]) => {
      const example = found.get(row as ErrorName);
      if (!example) throw new Error(`the error ${row} has no case`);
      const value = { error: { ...example.body.error, request_id: exampleRequestId } };
      const request = exampleRequest(example.from);
      return [row, { summary: titleOf(example.name), value, ...(request && { 'x-request': request }) }];
    }),
  );
}

const maxBodyLength = 4_000;

/** Undefined for a request that needs a special exchange or bytes that an HTTP client would not send. */
function exampleRequest({ given, request }: Case): ExampleRequest | undefined {
  const { method = 'POST', path = '/openrtb2', headers = {}, body, rawBody } = request;
  const isSpecial = given ?? request.rawHttp ?? request.rawBodyBase64 ?? request.stallAfter ?? request.padTo;
  if (isSpecial !== undefined || request.gzip === true) return undefined;
  const content = expand(body ?? rawBody);
  if ((JSON.stringify(content) ?? '').length > maxBodyLength) return undefined;
  const hasContentType = Object.keys(headers).some((header) => header.toLowerCase() === 'content-type');
  const implied = content !== undefined && !hasContentType ? { 'Content-Type': 'application/json' } : {};
  const sent = Object.entries({ ...implied, ...headers }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return {
    method,
    path,
    headers: Object.fromEntries(sent),
    ...(body !== undefined && { body: content }),
    ...(body === undefined && rawBody !== undefined && { rawBody: content as string }),
  };
}
