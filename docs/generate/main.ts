/** Updates the generated parts of the documents. */
import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { documents, renderDocument } from './sections.ts';

for (const document of documents) {
  const { path, current, rendered } = await renderDocument(document);
  const formatted = await format(rendered, { ...(await resolveConfig(path)), filepath: path });
  if (formatted !== current) writeFileSync(path, formatted);
  process.stdout.write(`${document}: ${formatted === current ? 'up to date' : 'updated'}\n`);
}
