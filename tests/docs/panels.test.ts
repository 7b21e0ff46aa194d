/** The panels and dashboards that runbooks and docs/operating.md name in quotation marks exist, by their whole titles. */
import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { dashboards } from '../../deploy/grafana/dashboards/source/dashboards.ts';

const root = new URL('../../', import.meta.url);
const documents = [...globSync('deploy/runbooks/*.md', { cwd: root }), 'docs/operating.md'];

const titles = new Set(
  dashboards.flatMap(({ title, rows }) => [title, ...rows.flatMap(({ panels }) => panels.map((panel) => panel.title))]),
);

/** A name may be broken at the end of a line. Code has quotation marks of its own. */
const namesIn = (text: string): string[] =>
  [
    ...text
      .replaceAll(/^ *```.*?^ *```$/gms, '')
      .replaceAll(/`[^`]*`/g, '')
      .replaceAll(/\s+/g, ' ')
      .matchAll(/"([^"]+)"/g),
  ].map(([, name]) => name!);

test.each(documents)('%s names panels by their titles', (document) => {
  const names = namesIn(readFileSync(new URL(document, root), 'utf8'));
  expect(names.filter((name) => !titles.has(name))).toEqual([]);
});

test('names are found', () => {
  expect(namesIn('"p99 by\n   stage", `"code"`\n\n   ```sh\n   echo "code"\n   ```\n\n"Errors"')).toEqual([
    'p99 by stage',
    'Errors',
  ]);
});
