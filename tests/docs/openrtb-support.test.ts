/** The matrix of docs/openrtb-support.md, compared with the schemas and with the responses of the examples. */
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { bidRequest } from '../../src/openrtb/schema/bid-request.ts';
import { nativeRequest } from '../../src/openrtb/schema/native-request.ts';
import { readCases } from '../support/case-file.ts';
import { readFields } from '../support/schema-fields.ts';

const document = readFileSync(new URL('../../docs/openrtb-support.md', import.meta.url), 'utf8');

interface Row {
  field: string;
  used: boolean;
  enforced: boolean;
}

const namesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

/** One row per field of the table below this heading. */
function readTable(heading: string): Row[] {
  const section = document.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  const lines = section.split('\n').filter((line) => line.startsWith('| `'));
  return lines.flatMap((line) => {
    const [, fields, used, enforced] = line.split('|').map((cell) => cell.trim());
    return namesIn(fields!).map((field) => ({ field, used: used === 'yes', enforced: enforced === 'yes' }));
  });
}

const notValidated = namesIn(/Exceptions:\n(.*?) never reject/s.exec(document)![1]!);

/** The members of lists and objects; the elements of lists have no name of their own. */
const pathsOf = (schema: Parameters<typeof readFields>[0]): string[] =>
  readFields(schema)
    .map(({ path }) => path)
    .filter((path) => path !== '' && !path.endsWith('[]'));

describe.each([
  { headings: ['Bid request', 'Impression'], paths: pathsOf(bidRequest) },
  { headings: ['Native request'], paths: pathsOf(nativeRequest) },
])('$headings', ({ headings, paths }) => {
  const rows = headings.flatMap(readTable);
  const withEffect = rows.filter(({ used, enforced }) => used || enforced).map(({ field }) => field);

  test('the table has rows', () => {
    expect(withEffect.length).toBeGreaterThan(5);
  });

  test('each field that is used or enforced is validated, or named as an exception', () => {
    const exceptions = withEffect.filter((field) => !paths.includes(field));
    expect(exceptions).toEqual(notValidated.filter((field) => withEffect.includes(field)));
  });

  test('each validated field is used or enforced, by itself, or with the object that it is in or contains', () => {
    const isRelated = (path: string, field: string) => path === field || isWithin(path, field) || isWithin(field, path);
    // The row `imp` alone would cover every field of an impression.
    const fields = withEffect.filter((field) => field !== 'imp');
    expect(paths.filter((path) => !fields.some((field) => isRelated(path, field)))).toEqual([]);
  });
});

const isWithin = (path: string, object: string): boolean =>
  /^(\[\])?\./.test(path.slice(object.length)) && path.startsWith(object);

test('every member of a bid in the examples is in the table of the response', () => {
  const fields = readTable('Bid response').map(({ field }) => field);
  const bodies = readCases().flatMap(({ name, expected }) => (name.startsWith('examples/') ? [expected.body] : []));
  const bids = bodies.flatMap((body) => (body as { seatbid?: { bid: object[] }[] } | undefined)?.seatbid ?? []);
  const members = new Set(bids.flatMap(({ bid }) => bid.flatMap((one) => Object.keys(one))));
  expect(members).toContain('adm');
  members.delete('ext');
  expect([...members].filter((member) => !fields.includes(`bid.${member}`))).toEqual([]);
});
