/** Updates the generated documents and the generated parts of the others. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { generatedFiles, renderFile } from './files.ts';
import { documents, renderDocument } from './sections.ts';

for (const document of documents) await update(document, await renderDocument(document));
for (const file of generatedFiles) await update(file, await renderFile(file));

async function update(name: string, { path, rendered }: { path: string; rendered: string }): Promise<void> {
  const current = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const formatted = await format(rendered, { ...(await resolveConfig(path)), filepath: path });
  if (formatted !== current) writeFileSync(path, formatted);
  process.stdout.write(`${name}: ${formatted === current ? 'up to date' : 'updated'}\n`);
}
