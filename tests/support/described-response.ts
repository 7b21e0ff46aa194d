/** Checks a response against docs/openapi.json: its status, its headers and each member of its body. */
import { expect } from '@jest/globals';
import { ApiSchemas, closed, readApi } from './api-schemas.ts';
import type { RawResponse } from './send-raw.ts';

const api = readApi();
const { responses } = api.paths['/openrtb2']!.post;
const schemas = new ApiSchemas(closed(api.components) as object);

const bodyValidators = Object.fromEntries(
  Object.entries(responses).map(([status, { content }]) => {
    const schema = content?.['application/json']?.schema;
    return [status, schema && schemas.compile(schema)];
  }),
);

const headerValidators = Object.fromEntries(
  Object.entries(api.components.headers).map(([name, { schema }]) => [
    name,
    { schema, validate: schemas.compile(schema) },
  ]),
);

/** Headers of HTTP itself. OpenAPI describes Content-Type with the body. */
const httpHeaders = new Set(['content-type', 'content-length', 'date', 'connection', 'keep-alive']);

export function expectDescribed({ status, headers, text }: RawResponse): void {
  expectDescribedBody(status, text === '' ? undefined : JSON.parse(text));
  const sent = Object.keys(headers).filter((name) => !httpHeaders.has(name));
  const described = Object.keys(responses[status]!.headers!);
  expect(sent.toSorted()).toEqual(described.map((name) => name.toLowerCase()).toSorted());
  for (const name of described) expectHeader(name, headers[name.toLowerCase()]!);
}

/** `body` is undefined if the response has none. */
export function expectDescribedBody(status: number, body: unknown): void {
  expect(Object.keys(responses)).toContain(String(status));
  if (body === undefined) return;
  const validate = bodyValidators[status];
  expect({ status, hasBody: validate !== undefined }).toEqual({ status, hasBody: true });
  validate!(body);
  expect(validate!.errors ?? []).toEqual([]);
}

function expectHeader(name: string, text: string): void {
  const { schema, validate } = headerValidators[name]!;
  validate(schema.type === 'integer' ? Number(text) : text);
  expect({ name, text, errors: validate.errors ?? [] }).toEqual({ name, text, errors: [] });
}
