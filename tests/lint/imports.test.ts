/** The linter reports every import that the architecture forbids. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mayImport } from '../../oxlint.config.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

type Import = [file: string, specifier: string];

/** The layers of the architecture, outermost first. A layer may import only layers below it. */
const layers = [['http'], ['exchange'], ['limits', 'privacy', 'auction', 'demand'], ['openrtb'], ['json', 'cache']];

const upwards = layers.flatMap((layer, depth) =>
  layer.flatMap((folder) =>
    [...layers.slice(0, depth).flat(), 'fleet', 'config', 'sandbox'].map((outer): Import => [
      `src/${folder}/a.ts`,
      `../${outer}/b.ts`,
    ]),
  ),
);

const entryPoints = [...layers.flat(), 'fleet', 'config', 'observe', 'sandbox'].flatMap((folder) =>
  ['main', 'primary', 'worker'].map((file): Import => [`src/${folder}/a.ts`, `../${file}.ts`]),
);

const folders: Import[] = [
  ['src/primary.ts', './worker.ts'],
  ['src/primary.ts', './http/app.ts'],
  ['src/primary.ts', './sandbox/server.ts'],
  ['src/worker.ts', './primary.ts'],
  ['src/worker.ts', './sandbox/server.ts'],
  ['src/main.ts', './http/app.ts'],
  ['src/main.ts', './sandbox/main.ts'],
  ['src/fleet/a.ts', '../http/app.ts'],
  ['src/fleet/a.ts', '../demand/adapter.ts'],
  ['src/fleet/a.ts', '../sandbox/server.ts'],
  ['src/config/a.ts', '../openrtb/bid-request.ts'],
  ['src/config/a.ts', '../fleet/fleet.ts'],
  ['src/http/a.ts', '../auction/run-auction.ts'],
  ['src/http/a.ts', '../demand/adapter.ts'],
  ['src/http/a.ts', '../privacy/redact.ts'],
  ['src/http/a.ts', '../observe/metrics.ts'],
  ['src/exchange/a.ts', '../observe/metrics.ts'],
  ['src/auction/a.ts', '../limits/rate-limiter.ts'],
  ['src/auction/a.ts', '../privacy/redact.ts'],
  ['src/demand/a.ts', '../auction/run-auction.ts'],
  ['src/limits/a.ts', '../openrtb/bid-request.ts'],
  ['src/limits/a.ts', '../observe/metrics.ts'],
  ['src/observe/a.ts', '../openrtb/bid-request.ts'],
  ['src/observe/a.ts', '../limits/rate-limiter.ts'],
  ['src/observe/a.ts', '../sandbox/server.ts'],
  ['src/sandbox/a.ts', '../http/app.ts'],
  ['src/sandbox/a.ts', '../demand/adapter.ts'],
  ['src/trace/a.ts', '../http/app.ts'],
  ['src/trace/a.ts', '../observe/metrics.ts'],
  ['src/auction/a.ts', '../trace/tracer.ts'],
  ['src/http/a.ts', '../trace/otel-tracer.ts'],
  ['src/demand/a.ts', '../trace/otel-tracer.ts'],
  ['src/demand/call-partner.ts', '../trace/otel-exporter.ts'],
  ['src/worker.ts', './trace/otel-tracer.ts'],
  ['src/http-client/a.ts', '../demand/adapter.ts'],
  ['src/auction/a.ts', '../http-client/http-client.ts'],
  ['src/cache/a.ts', '../json/guards.ts'],
  ['src/json/a.ts', '../cache/memoize.ts'],
  ['src/openrtb/schema/a.ts', '../../demand/adapter.ts'],
  ['src/sandbox/shop/a.ts', '../../limits/rate-limiter.ts'],
  ['src/http/a.ts', '../../tests/support/until.ts'],
  ['src/openrtb/schema/a.ts', '../../../load/run.ts'],
];

const adapters: Import[] = [
  ['src/auction/a.ts', '../demand/registry.ts'],
  ['src/auction/a.ts', '../demand/house/house.ts'],
  ['src/exchange/a.ts', '../demand/registry.ts'],
  ['src/exchange/a.ts', '../demand/openrtb/openrtb.ts'],
  ['src/config/a.ts', '../demand/house/house.ts'],
  ['src/worker.ts', './demand/product-search/product-search.ts'],
  ['src/demand/call-partner.ts', './house/house.ts'],
  ['src/demand/create-partners.ts', './openrtb/openrtb.ts'],
  ['src/demand/house/a.ts', '../product-search/product-search.ts'],
  ['src/demand/house/a.ts', '../openrtb/openrtb.ts'],
  ['src/demand/house/a.ts', '../../demand/openrtb/openrtb.ts'],
  ['src/demand/new-partner/a.ts', '../house/house.ts'],
  ['src/demand/house/a.ts', '../../auction/run-auction.ts'],
];

const owners: [name: string, owner: string][] = [
  ['@opentelemetry/api', 'trace'],
  ['@opentelemetry/sdk-trace', 'trace'],
  ['express', 'http'],
  ['express-rate-limit', 'http'],
  ['ioredis', 'limits'],
  ['rate-limit-redis', 'limits'],
  ['pino', 'observe'],
  ['pino-http', 'observe'],
  ['prom-client', 'observe'],
  ['undici', 'none'],
];
const others = [...layers.flat(), 'fleet', 'config', 'observe', 'sandbox', 'demand/house', 'openrtb/schema'];
const packages = owners.flatMap(([name, owner]): Import[] => [
  ...others.filter((folder) => folder !== owner).map((folder): Import => [`src/${folder}/a.ts`, name]),
  ['src/primary.ts', name],
  ['src/worker.ts', name],
  ['src/privacy/a.ts', `${name}/lib/inside.js`],
]);

const processes: Import[] = [
  ['tests/auction/a.test.ts', 'node:child_process'],
  ['tests/auction/a.test.ts', '../support/start-gavel.ts'],
  ['tests/limits/a.test.ts', '../support/redis-server.ts'],
  ['tests/deploy/a.test.ts', './monitored-exchange.ts'],
  ['tests/support/a.ts', './prometheus.ts'],
  ['tests/http/a.test.ts', '../sandbox/start-sandbox.ts'],
];

const forms: [name: string, statement: string][] = [
  ['import type', `import type { a } from '../http/app.ts';`],
  ['export from', `export { a } from '../http/app.ts';`],
  ['export star', `export * from '../http/app.ts';`],
  ['dynamic import', `export const a = await import('../http/app.ts');`],
];

interface Report {
  diagnostics: { filename: string; code: string; message: string }[];
}

let folder: string;
let reports: Report['diagnostics'];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gavel-lint-'));
  for (const name of ['oxlint.config.ts', 'jest.config.ts', 'package.json'])
    copyFileSync(join(repository, name), join(folder, name));
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));

  const sources = new Map<string, string>();
  for (const [file, specifier] of [...upwards, ...entryPoints, ...folders, ...adapters, ...packages, ...processes])
    sources.set(file, `${sources.get(file) ?? ''}import '${specifier}';\n`);
  forms.forEach(([, statement], at) => sources.set(`src/auction/form-${at}.ts`, `${statement}\n`));
  sources.set('src/json/one.ts', `import { two } from './two.ts';\nexport const one = () => two;\n`);
  sources.set('src/json/two.ts', `import { one } from './one.ts';\nexport const two = () => one;\n`);
  for (const [file, source] of sources) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), source);
  }

  const linter = spawnSync('oxlint', ['--format', 'json'], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 });
  reports = (JSON.parse(linter.stdout) as Report).diagnostics;
});
afterAll(() => rmSync(folder, { recursive: true }));

const restrictedIn = (file: string) =>
  reports.filter(({ filename, code }) => filename === file && code.includes('no-restricted-imports'));

const isReported = (file: string, specifier: string) =>
  expect(restrictedIn(file).map(({ message }) => message)).toContainEqual(expect.stringContaining(`'${specifier}'`));

test.each(upwards)('no import of an outer layer: %s %s', isReported);
test.each(entryPoints)('no import of an entry point: %s %s', isReported);
test.each(folders)('no import of another part: %s %s', isReported);
test.each(adapters)('no import of an adapter except by the registry: %s %s', isReported);
test.each(packages)('no import of a package that another folder owns: %s %s', isReported);
test.each(processes)('no process in a test of the fast set: %s %s', isReported);

test.each(forms)('reported too: %s', (name) => {
  const at = forms.findIndex(([form]) => form === name);
  expect(restrictedIn(`src/auction/form-${at}.ts`)).toHaveLength(1);
});

test('no cycle of imports', () => {
  const cycles = reports.filter(({ code }) => code.includes('no-cycle')).map(({ filename }) => filename);
  expect(cycles).toEqual(expect.arrayContaining(['src/json/one.ts', 'src/json/two.ts']));
});

test('oxlint.config.ts has a row for every folder and file of src', () => {
  expect(Object.keys(mayImport).toSorted()).toEqual(readdirSync(join(repository, 'src')).toSorted());
});
