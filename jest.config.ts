/** Jest runs two projects: tests that start no process, and tests that do. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Config } from 'jest';

/**
 * Tests that start redis-server, Prometheus, the exchange, the sandbox or another process. `make test-fast` runs all
 * others, and the linter forbids those to start one.
 */
export const processSuites = [
  'tests/browser/*',
  'tests/deploy/{alerts,ci-advisories,ci-smoke,compose-files,dashboards,kubernetes,pin-images,real-haproxy}',
  'tests/docs/{adding-a-partner,clients,examples,partner-request,rules}',
  'tests/fuzz/*',
  'tests/http-client/tls',
  'tests/limits/{redis-buckets,redis-cluster,redis-cluster-tls,redis-connection-errors,redis-database,redis-faults,redis-sentinel,redis-sentinel-tls,redis-tls,worker-registry}',
  'tests/lint/*',
  'tests/process/*',
  'tests/sandbox/*',
];

/** What those tests start processes with. */
export const processSupport = [
  'tests/deploy/monitored-exchange.ts',
  'tests/sandbox/start-sandbox.ts',
  'tests/support/certificate.ts',
  'tests/support/haproxy.ts',
  'tests/support/prometheus.ts',
  'tests/support/redis-server.ts',
  'tests/support/redis-topologies.ts',
  'tests/support/start-gavel.ts',
  'tests/support/unread-pipe.ts',
];

const swc = { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } };

const project = (displayName: string, testMatch: string[]) => ({
  displayName,
  testMatch,
  testEnvironment: '<rootDir>/tests/support/test-environment.ts',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': ['@swc/jest', swc] as [string, typeof swc] },
});

// Child processes load their modules from this cache. A process writes it when it exits by itself.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compile');

/** Suites that start processes wait more than they compute. */
const minWorkers = 3;

const config: Config = {
  maxWorkers: Math.max(minWorkers, availableParallelism()),
  testTimeout: 180_000,
  projects: [
    project('fast', ['<rootDir>/tests/**/*.test.ts', ...processSuites.map((suite) => `!**/${suite}.test.ts`)]),
    project(
      'processes',
      processSuites.map((suite) => `<rootDir>/${suite}.test.ts`),
    ),
  ],
};
export default config;
