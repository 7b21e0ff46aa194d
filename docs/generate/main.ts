/** Writes the generated parts of the documents anew. */
import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { documents, renderDocument } from './sections.ts';

for (const document of documents) {
  const { path, current, rendered } = await renderDocument(document);
  const laidOut = await format(rendered, { ...(await resolveConfig(path)), filepath: path });
  if (laidOut !== current) writeFileSync(path, laidOut);
  process.stdout.write(`${document}: ${laidOut === current ? 'up to date' : 'written'}\n`);
}
