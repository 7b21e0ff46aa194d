/** The paths that the admin server has are described in docs/openapi.json, and so are their responses. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiSchemas, closed, readApi } from '../support/api-schemas.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';

const api = readApi();
const schemas = new ApiSchemas(closed(api.components) as object);

let gavel: Gavel;
beforeAll(async () => {
  gavel = await startGavel({ WORKERS: '1' });
});
afterAll(() => gavel.end());

async function fetchAdmin(path: string, method = 'GET'): Promise<{ status: number; type: string; text: string }> {
  const response = await fetch(`${gavel.admin}${path}`, { method });
  const type = response.headers.get('content-type')!.split(';')[0]!;
  return { status: response.status, type, text: await response.text() };
}

/** Fails unless the description has the status, the media type and the body. */
async function expectDescribed(path: string, method = 'GET'): Promise<number> {
  const { status, type, text } = await fetchAdmin(path, method);
  const content = api.paths[path]?.get.responses[status]?.content?.[type];
  expect({ path, status, type, isDescribed: content !== undefined }).toMatchObject({ isDescribed: true });
  const validate = schemas.compile(content!.schema);
  validate(type === 'application/json' ? JSON.parse(text) : text);
  expect(validate.errors ?? []).toEqual([]);
  return status;
}

test('each path of the admin server sends what is described', async () => {
  const { paths } = JSON.parse((await fetchAdmin('/none')).text) as { paths: string[] };
  const described = paths.filter((path) => path !== '/console/');
  expect(described).toEqual(['/healthz', '/readyz', '/metrics', '/slo', '/openapi.json']);
  expect(paths).toContain('/console/');
  for (const path of described) expect(await expectDescribed(path)).toBe(200);
});

test('the description names the addresses of this exchange', async () => {
  const { servers, paths } = JSON.parse((await fetchAdmin('/openapi.json')).text) as {
    servers: { url: string }[];
    paths: Record<string, { servers?: { url: string }[] }>;
  };
  expect(servers.map(({ url }) => `${url}/openrtb2`)).toEqual([gavel.endpoint]);
  expect(paths['/openrtb2']!.servers).toBeUndefined();
  expect(paths['/slo']!.servers!.map(({ url }) => url)).toEqual([gavel.admin]);
});

test('a method that is not allowed gets the described error', async () => {
  expect(await expectDescribed('/healthz', 'DELETE')).toBe(405);
});
