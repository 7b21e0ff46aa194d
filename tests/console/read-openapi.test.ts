/** The reference page reads an OpenAPI document. */
import { expect, test } from '@jest/globals';
import { listFields } from '../../src/console/logic/list-fields.ts';
import { readOpenApi } from '../../src/console/logic/read-openapi.ts';

const document = {
  info: { title: 'Gavel', version: '1' },
  components: {
    schemas: {
      Request: {
        type: 'object',
        required: ['id'],
        'x-rules-beyond-schema': [{ description: 'At most 256 KiB.', status: 413, code: 'PAYLOAD_TOO_LARGE' }],
        properties: {
          id: { type: 'string', minLength: 1, maxLength: 128, description: 'the id' },
          imp: { type: 'array', minItems: 1, maxItems: 10, items: { $ref: '#/components/schemas/Imp' } },
        },
      },
      Imp: {
        type: 'object',
        properties: {
          bidfloor: { type: 'number', minimum: 0 },
          at: { enum: [1, 2] },
          name: { type: 'string', minLength: 1 },
        },
      },
      Self: { type: 'object', properties: { self: { $ref: '#/components/schemas/Self' } } },
    },
    responses: {
      Invalid: {
        description: 'invalid',
        content: {
          'application/json': {
            examples: {
              one: { value: { error: { code: 'X', message: 'M', details: { field: 'id', reason: 'R' } } } },
            },
          },
        },
      },
    },
  },
  paths: {
    '/openrtb2': {
      post: {
        summary: 'Bid',
        parameters: [{ name: 'X-Request-Id', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Request' } } } },
        responses: {
          204: { description: 'no bid', headers: { 'X-Request-Id': {} } },
          400: { $ref: '#/components/responses/Invalid' },
        },
      },
    },
  },
};

test('an operation has fields with bounds, statuses and errors', () => {
  const [operation] = readOpenApi(document).operations;
  expect(operation).toMatchObject({ method: 'POST', path: '/openrtb2', summary: 'Bid' });
  expect(operation!.fields.map(({ path, type, isRequired, bounds }) => [path, type, isRequired, bounds])).toEqual([
    ['id', 'string', true, ['1 to 128 characters']],
    ['imp', 'array', false, ['1 to 10 items']],
    ['imp[].bidfloor', 'number', false, ['at least 0']],
    ['imp[].at', 'any', false, ['one of 1, 2']],
    ['imp[].name', 'string', false, ['at least 1 character']],
  ]);
  expect(operation!.rules).toEqual([{ description: 'At most 256 KiB.', status: '413', code: 'PAYLOAD_TOO_LARGE' }]);
  expect(operation!.parameters).toMatchObject([{ path: 'X-Request-Id', isRequired: true }]);
  expect(operation!.responses.map(({ status, headers }) => [status, headers])).toEqual([
    ['204', ['X-Request-Id']],
    ['400', []],
  ]);
  expect(operation!.errors).toEqual([{ status: '400', code: 'X', message: 'M', field: 'id', reason: 'R' }]);
});

test('a schema that contains itself ends', () => {
  expect(listFields(document, { $ref: '#/components/schemas/Self' }).length).toBeLessThan(20);
});

test('a reference to nothing, a loop of references and another document are empty', () => {
  const loop = { a: { $ref: '#/b' }, b: { $ref: '#/a' } };
  expect(listFields(loop, loop.a)).toEqual([]);
  expect(listFields({}, { $ref: '#/missing' })).toEqual([]);
  expect(readOpenApi('text')).toEqual({ title: '', version: '', operations: [] });
});
