/** Real requests from the folder CORPUS_DIR, each with its expected result. Skipped if the variable is not set. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { startExchange } from './support/run-case.ts';
import { sendCase } from './support/send-case.ts';

interface CorpusFile {
  request: unknown;
  expected: { verdict: 'accept' } | { verdict: 'reject'; code: string; field?: string };
}

const folder = process.env.CORPUS_DIR;
const files = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.json'));

const { server } = await startExchange();
afterAll(() => void server.close());

if (folder === undefined) test.todo('CORPUS_DIR is set to a folder of requests with expected results');
else {
  test('the folder contains requests', () => expect(files.length).toBeGreaterThan(0));
  describe('a request of the corpus gets the expected result', () => {
    test.each(files)('%s', async (name) => {
      const { request, expected } = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as CorpusFile;
      const { status, text } = await sendCase(server, { body: request });
      if (expected.verdict === 'accept') expect([200, 204]).toContain(status);
      else {
        const details = expected.field === undefined ? {} : { details: { field: expected.field } };
        expect({ status, body: JSON.parse(text) as unknown }).toMatchObject({
          status: 400,
          body: { error: { code: expected.code, ...details } },
        });
      }
    });
  });
}
