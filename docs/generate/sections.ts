/** Renders the generated parts of the documents, which are between `<!-- begin NAME -->` and `<!-- end NAME -->`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configurationTable } from './configuration-table.ts';
import { errorBodySection, errorCodesSection, errorTableSection } from './error-sections.ts';
import { exampleSection } from './example-section.ts';
import { privacyFieldsTable, privacySignalsTable } from './privacy-tables.ts';
import { partnerRequestBody, partnerRequestSection, ruleSection } from './rule-section.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const documents = [
  'docs/configuration.md',
  'docs/errors.md',
  'docs/for-demand-partners.md',
  'docs/integrating.md',
  'docs/privacy.md',
  'docs/rules.md',
];

const sections: Record<string, () => string | Promise<string>> = {
  configuration: configurationTable,
  'error-body': errorBodySection,
  'error-codes': errorCodesSection,
  'error-table': errorTableSection,
  'partner-request': () => partnerRequestSection('examples/partner-request/what-a-partner-receives'),
  'partner-request-body': () => partnerRequestBody('examples/partner-request/what-a-partner-receives'),
  'privacy-fields': privacyFieldsTable,
  'privacy-signals': privacySignalsTable,
};

/** `example:FOLDER/CASE` shows a test case, `rule:CASE` an example of a rule. */
async function renderSection(name: string): Promise<string> {
  if (name.startsWith('example:')) return exampleSection(name.slice('example:'.length));
  if (name.startsWith('rule:')) return ruleSection(name.slice('rule:'.length));
  const section = sections[name];
  if (!section) throw new Error(`there is no generated part called ${name}`);
  return section();
}

/** The document with all generated parts rendered. */
export async function renderDocument(document: string): Promise<{ path: string; current: string; rendered: string }> {
  const path = `${root}${document}`;
  const current = readFileSync(path, 'utf8');
  const parts = /<!-- begin (\S+) -->\n[\s\S]*?<!-- end \1 -->/g;
  let rendered = '';
  let end = 0;
  for (const match of current.matchAll(parts)) {
    const name = match[1]!;
    rendered += `${current.slice(end, match.index)}<!-- begin ${name} -->\n\n${await renderSection(name)}\n\n<!-- end ${name} -->`;
    end = match.index + match[0].length;
  }
  return { path, current, rendered: rendered + current.slice(end) };
}
