/** Lint rules. The tables say who may import whom; tests/lint/imports.test.ts proves that the linter enforces them. */
import { basename } from 'node:path';
import { defineConfig, type OxlintOverride } from 'oxlint';
import { processSuites, processSupport } from './jest.config.ts';

/** Each folder and top-level file of src/, and the others it may import. */
export const mayImport: Record<string, string[]> = {
  'main.ts': ['primary.ts', 'worker.ts', 'config', 'fleet', 'observe', 'warm-up'],
  'primary.ts': ['config', 'fleet', 'limits', 'observe'],
  'create-auction-log.ts': ['config', 'limits', 'observe'],
  'create-exchange.ts': [
    'auction',
    'config',
    'demand',
    'exchange',
    'http',
    'limits',
    'observe',
    'privacy',
    'publishers',
  ],
  'worker.ts': [
    'config',
    'create-auction-log.ts',
    'create-exchange.ts',
    'exchange',
    'fleet',
    'http',
    'limits',
    'observe',
    'openrtb',
    'publishers',
    'trace',
    'warm-up',
  ],
  fleet: ['config', 'limits', 'observe'],
  console: [],
  config: ['demand', 'limits', 'publishers'],
  http: ['exchange', 'limits', 'openrtb', 'publishers', 'trace'],
  exchange: ['auction', 'demand', 'limits', 'openrtb', 'privacy', 'publishers', 'trace'],
  auction: ['demand', 'openrtb'],
  demand: ['http-client', 'openrtb', 'trace'],
  'http-client': [],
  privacy: ['openrtb'],
  publishers: ['limits'],
  'warm-up': ['config', 'exchange', 'http', 'limits', 'observe'],
  limits: [],
  observe: [],
  openrtb: [],
  sandbox: ['openrtb'],
  trace: [],
  bytes: [],
  cache: [],
  contract: ['json'],
  format: [],
  overload: [],
  pacing: [],
  gzip: [],
  json: [],
  memory: [],
  money: [],
};

/** Helpers that belong to no domain; every folder may import them. */
const helpers = ['bytes', 'cache', 'contract', 'format', 'gzip', 'json', 'memory', 'money', 'overload', 'pacing'];

/** Packages that only one folder of src/ may import. */
const onlyIn: Record<string, string> = {
  '@opentelemetry': 'src/trace',
  express: 'src/http',
  'express-rate-limit': 'src/http',
  ioredis: 'src/limits',
  'rate-limit-redis': 'src/limits',
  pino: 'src/observe',
  'pino-http': 'src/observe',
  'prom-client': 'src/observe',
  undici: 'tests and load',
};

/** Folders that may not see which adapters there are. */
const withoutRegistry = ['auction', 'exchange'];

interface Restriction {
  regex: string;
  message: string;
}

const outOfSrc: Restriction = {
  regex: String.raw`^(\.\./)+(tests|load|docs|deploy)/`,
  message: 'src may not import tests, load, docs or deploy.',
};
const registry: Restriction = { regex: '/demand/registry', message: 'Only the adapter port may be imported here.' };
/** Adapters are the folders of src/demand. */
const adapters: Restriction = {
  regex: String.raw`/demand/[^/]+/`,
  message: 'Only src/demand/registry.ts may import an adapter.',
};
const adaptersBeside: Restriction = { ...adapters, regex: String.raw`^\./[^/]+/` };
const otherAdapters: Restriction = { ...adapters, regex: String.raw`^\.\./[^./][^/]*/|/demand/` };
/** Loaded only if tracing is on. */
const otel: Restriction = {
  regex: '/trace/otel-',
  message: 'Only src/trace/create-tracer.ts may import OpenTelemetry.',
};
const processes: Restriction = {
  regex: `^node:child_process$|/(${processSupport.map((path) => basename(path)).join('|')})$`,
  message:
    'This test belongs to `make test-fast`, so it may not start a process (see processSuites in jest.config.ts).',
};

function otherParts(part: string): Restriction[] {
  const toSrc = part.endsWith('.ts') ? String.raw`^\./` : String.raw`^(\.\./)+`;
  const allowed = [...mayImport[part]!, ...(helpers.includes(part) ? [] : helpers)];
  return Object.keys(mayImport)
    .filter((other) => other !== part && !allowed.includes(other))
    .map((other) => ({
      regex: String.raw`${toSrc}${other.replace('.', String.raw`\.`)}${other.endsWith('.ts') ? '$' : '/'}`,
      message: `src/${part} may import only: ${allowed.join(', ') || 'nothing outside its folder'}.`,
    }));
}

const ownedPackages = (place: string): Restriction[] =>
  Object.entries(onlyIn)
    .filter(([, owner]) => owner !== place)
    .map(([name, owner]) => ({ regex: `^${name}(/|$)`, message: `Only ${owner} may import ${name}.` }));

/** For files that several calls match, the last call holds. */
const forbid = (files: string, patterns: Restriction[], excludeFiles: string[] = []): OxlintOverride => ({
  files: [files],
  excludeFiles,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
});

const parts = Object.keys(mayImport).map((part) =>
  forbid(part.endsWith('.ts') ? `src/${part}` : `src/${part}/**`, [
    ...otherParts(part),
    ...ownedPackages(`src/${part}`),
    ...(withoutRegistry.includes(part) ? [registry] : []),
    adapters,
    otel,
    outOfSrc,
  ]),
);

const insideDemand = [
  ['src/demand/*.ts', adaptersBeside],
  ['src/demand/*/**', otherAdapters],
] as const;

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'node'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  ignorePatterns: ['node_modules', 'coverage', 'dist'],
  rules: {
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/no-unnecessary-condition': 'off',
    eqeqeq: 'error',
    'no-console': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'max-lines': ['error', { max: 300 }],
    'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
    'import/no-unassigned-import': 'off',
    'no-await-in-loop': 'off',
    'no-underscore-dangle': 'off',
    'no-shadow': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-named-as-default': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/prefer-set-has': 'off',
    'oxc/no-map-spread': 'off',
    'unicorn/no-thenable': 'off',
    'typescript/no-generated-empty-object-type': 'off',
    'typescript/consistent-return': 'off',
    'promise/always-return': 'off',
  },
  overrides: [
    ...parts,
    ...insideDemand.map(([files, beside]) =>
      forbid(
        files,
        [...otherParts('demand'), ...ownedPackages(files), otel, outOfSrc, beside],
        files === 'src/demand/*.ts' ? ['src/demand/registry.ts'] : [],
      ),
    ),
    { files: ['tests/**'], rules: { 'max-lines-per-function': 'off' } },
    forbid('tests/**', [processes], [...processSuites.map((suite) => `${suite}{.test,}.ts`), ...processSupport]),
    { files: ['*.config.ts', 'tests/support/test-environment.ts'], rules: { 'import/no-default-export': 'off' } },
  ],
});
