/** The generated parts of the documents say what the code says. */
import { expect, test } from '@jest/globals';
import { format, resolveConfig } from 'prettier';
import { documents, renderDocument } from '../../docs/generate/sections.ts';

test.each(documents)('%s is up to date (make docs)', async (document) => {
  const { path, current, rendered } = await renderDocument(document);
  expect(current).toBe(await format(rendered, { ...(await resolveConfig(path)), filepath: path }));
});
