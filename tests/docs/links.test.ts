/** The links between documents lead to files and headings that exist. */
import { describe, expect, test } from '@jest/globals';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const documents = globSync(['*.md', 'docs/**/*.md', 'deploy/**/*.md', 'load/**/*.md'], { cwd: root });

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Without the blocks and spans of code: what looks like a link there is none. */
const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, 'code');

const linksIn = (text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);

/** As GitHub makes them from headings. */
const anchorsIn = (text: string): string[] =>
  [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );

function problemOf(document: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [target, anchor] = link.split('#') as [string, string?];
  const path = target.startsWith('/') ? target.slice(1) : join(dirname(document), target);
  const file = target === '' ? document : path;
  if (!existsSync(join(root, file))) return `${link}: no such file`;
  if (anchor === undefined || statSync(join(root, file)).isDirectory()) return undefined;
  return anchorsIn(read(file)).includes(anchor) ? undefined : `${link}: no such heading`;
}

describe('documents', () => {
  test.each(documents)('the links of %s lead somewhere', (document) => {
    const problems = linksIn(read(document)).flatMap((link) => problemOf(document, link) ?? []);
    expect(problems).toEqual([]);
  });

  test('a link to a missing file or heading is found', () => {
    expect(problemOf('README.md', 'docs/none.md')).toBe('docs/none.md: no such file');
    expect(problemOf('README.md', 'docs/errors.md#none')).toBe('docs/errors.md#none: no such heading');
    expect(problemOf('docs/errors.md', '../README.md#layout')).toBeUndefined();
  });
});

describe('start pages', () => {
  const pages = ['for-ssp-engineers', 'for-sres', 'for-partner-managers', 'for-contributors'];

  test.each(pages)('README.md links to docs/%s.md, which has ten lines of links', (page) => {
    expect(linksIn(read('README.md'))).toContain(`docs/${page}.md`);
    const lines = read(`docs/${page}.md`)
      .split('\n')
      .filter((line) => /^\d+\. /.test(line));
    expect(lines.length).toBe(10);
  });
});
