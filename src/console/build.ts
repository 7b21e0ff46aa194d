/** Builds the console's pages into dist/console: index.html, icon.svg, app.js and app.css. */
import { cpSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const app = fileURLToPath(new URL('app/', import.meta.url));
const output = fileURLToPath(new URL('../../dist/console/', import.meta.url));

mkdirSync(output, { recursive: true });
await build({
  entryPoints: [`${app}app.tsx`],
  outfile: `${output}app.js`,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
});
for (const file of ['index.html', 'icon.svg']) cpSync(`${app}${file}`, `${output}${file}`);
