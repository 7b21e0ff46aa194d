/** The files that are generated as a whole. */
import { fileURLToPath } from 'node:url';
import { dump } from 'js-yaml';
import { describeApi } from './openapi/describe-api.ts';
import { postmanCollection } from './openapi/postman-collection.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

const files: Record<string, () => Promise<string>> = {
  // Every object is written out: aliases would be harder to read.
  'docs/openapi.yaml': async () => dump(JSON.parse(toJson(await describeApi())), { lineWidth: -1 }),
  'docs/openapi.json': async () => toJson(await describeApi()),
  'docs/postman.json': async () => toJson(postmanCollection(await describeApi())),
};

export const generatedFiles = Object.keys(files);

/** The path of the file, and its content before it is formatted. */
export const renderFile = async (name: string): Promise<{ path: string; rendered: string }> => ({
  path: `${root}${name}`,
  rendered: await files[name]!(),
});
