/** The generated documents, and the generated parts of the others, say what the code says. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { generatedFiles, renderFile } from '../../docs/generate/files.ts';
import { documents, renderDocument } from '../../docs/generate/sections.ts';

test.each(documents)('%s is up to date (make docs)', async (document) => {
  const { path, current, rendered } = await renderDocument(document);
  expect(current).toBe(await format(rendered, { ...(await resolveConfig(path)), filepath: path }));
});

test.each(generatedFiles)('%s is up to date (make docs)', async (file) => {
  const { path, rendered } = await renderFile(file);
  expect(readFileSync(path, 'utf8')).toBe(await format(rendered, { ...(await resolveConfig(path)), filepath: path }));
});
