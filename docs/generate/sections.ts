/** The generated parts of the documents: a part stands between `<!-- begin NAME -->` and `<!-- end NAME -->`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configurationTable } from './configuration-table.ts';
import { errorTableSection } from './error-table-section.ts';
import { exampleSection } from './example-section.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const documents = ['README.md', 'docs/configuration.md', 'docs/integrating.md'];

/** The part called `name`; `example:FOLDER/CASE` shows a case that the tests run. */
async function section(name: string): Promise<string> {
  if (name === 'configuration') return configurationTable();
  if (name === 'errors') return errorTableSection();
  if (name.startsWith('example:')) return exampleSection(name.slice('example:'.length));
  throw new Error(`there is no generated part called ${name}`);
}

/** A document as it should be: its own text, with every generated part made anew. */
export async function renderDocument(document: string): Promise<{ path: string; current: string; rendered: string }> {
  const path = `${root}${document}`;
  const current = readFileSync(path, 'utf8');
  const parts = /<!-- begin (\S+) -->\n[\s\S]*?<!-- end \1 -->/g;
  let rendered = '';
  let from = 0;
  for (const match of current.matchAll(parts)) {
    const name = match[1]!;
    rendered += `${current.slice(from, match.index)}<!-- begin ${name} -->\n\n${await section(name)}\n\n<!-- end ${name} -->`;
    from = match.index + match[0].length;
  }
  return { path, current, rendered: rendered + current.slice(from) };
}
