/** docs/openapi.yaml: valid OpenAPI, complete, and the same as docs/openapi.json. */
import { describe, expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { bidRequestFields, nativeRequestFields } from '../../docs/generate/openapi/field-descriptions.ts';
import { errorTable } from '../../src/http/http-errors.ts';
import { bidRequest } from '../../src/openrtb/schema/bid-request.ts';
import { nativeRequest } from '../../src/openrtb/schema/native-request.ts';
import { readApi } from '../support/api-schemas.ts';
import { readFields } from '../support/schema-fields.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const yaml = read('docs/openapi.yaml');
const api = readApi();

/** Deviations from the recommended rules. */
const rules = {
  // The project has no licence of its own.
  'info-license': 'off',
  // Members that the schemas do not describe are allowed, as in OpenRTB. The other tests here find undescribed ones in responses.
  'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
} as const;

async function lint(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.yaml', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
}

describe('lint', () => {
  test('finds no problem by the recommended rules', async () => {
    expect(await lint(yaml)).toEqual([]);
  });

  test('finds an operation without a summary, an example that breaks its schema and a dangling reference', async () => {
    const broken = yaml
      .replace('summary: Send a bid request', '')
      .replace(/id: req-1101$/m, 'id: 1101')
      .replace("$ref: '#/components/schemas/Health'", "$ref: '#/components/schemas/None'");
    const found = (await lint(broken)).map((problem) => problem.split(':')[0]);
    expect(found).toEqual(
      expect.arrayContaining(['operation-summary', 'no-invalid-media-type-examples', 'no-unresolved-refs']),
    );
  });
});

test('docs/openapi.json has the same content', () => {
  expect(load(yaml)).toEqual(api);
});

test('the image of the exchange contains docs/openapi.json', () => {
  expect(read('deploy/Dockerfile')).toContain('\nCOPY docs/openapi.json docs/\n');
  expect(read('.dockerignore')).toContain('\n!docs/openapi.json\n');
});

describe('the fields of a bid request', () => {
  const pathsOf = (schema: Parameters<typeof readFields>[0]): string[] => readFields(schema).map(({ path }) => path);
  /** The description of a list covers its items, unless they are objects. */
  const isDescribed = (path: string, texts: Readonly<Record<string, string>>): boolean =>
    path in texts || (path.endsWith('[]') && path.slice(0, -2) in texts);

  test.each([
    ['bid request', bidRequest, bidRequestFields],
    ['native request', nativeRequest, nativeRequestFields],
  ] as const)('%s: each one is described, and no other', (_name, schema, texts) => {
    const paths = pathsOf(schema);
    expect(paths.filter((path) => !isDescribed(path, texts))).toEqual([]);
    expect(Object.keys(texts).filter((path) => !paths.includes(path))).toEqual([]);
  });
});

describe('errors', () => {
  const { responses } = api.paths['/openrtb2']!.post;
  const examples = Object.entries(responses).flatMap(([status, { content }]) =>
    Object.entries((content?.['application/json'] as { examples?: object } | undefined)?.examples ?? {}).map(
      ([name, example]: [string, { value: { error?: { code: string } } }]) => ({ status, name, example }),
    ),
  );

  test.each(Object.entries(errorTable))('%s has an example at its status', (row, { status, code }) => {
    const found = examples.find(({ name }) => name === row)!;
    expect({ status: found.status, code: found.example.value.error?.code }).toEqual({ status: String(status), code });
  });
});
