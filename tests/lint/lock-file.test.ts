/** The lock file pins every package by version and content, and no package may run a script unless it is listed. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as unknown;

const { packages } = readJson('../../package-lock.json') as { packages: Record<string, LockedPackage> };
const { allowScripts } = readJson('../../package.json') as { allowScripts: Record<string, boolean> };
/** Native packages of other platforms, which the registry did not serve. The list may only become shorter. */
const withoutIntegrity = readJson('without-integrity.json') as string[];

const maxWithoutIntegrity = 50;

const installed = Object.entries(packages).filter(([path]) => path !== '');
const nameOf = (path: string) => path.split('node_modules/').at(-1)!;
const names = (condition: (locked: LockedPackage) => boolean) =>
  installed
    .filter(([, locked]) => condition(locked))
    .map(([path]) => nameOf(path))
    .toSorted();

test('exactly the listed packages have no integrity', () => {
  expect(names(({ integrity }) => integrity === undefined)).toEqual(withoutIntegrity);
  expect(withoutIntegrity.length).toBeLessThanOrEqual(maxWithoutIntegrity);
});

test('a package without integrity is for one platform, optional and not needed at runtime', () => {
  const listed = installed.filter(([path]) => withoutIntegrity.includes(nameOf(path)));
  for (const [path, { os, cpu, optional, dev }] of listed)
    expect({ path, os, cpu, optional, dev }).toEqual({
      path,
      os: expect.any(Array),
      cpu: expect.any(Array),
      optional: true,
      dev: true,
    });
});

test('every integrity is a SHA-512', () => {
  expect(names(({ integrity }) => integrity !== undefined && !/^sha512-[\w+/]{86}==$/.test(integrity))).toEqual([]);
});

test('every package has an exact version, and none an address or a link', () => {
  expect(names(({ version }) => !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version ?? ''))).toEqual([]);
  expect(names(({ resolved, link }) => resolved !== undefined || link === true)).toEqual([]);
});

test('no dependency comes from git, a file or a URL', () => {
  const foreign = Object.entries(packages).flatMap(([path, locked]) =>
    [locked.dependencies, locked.devDependencies, locked.optionalDependencies, locked.peerDependencies]
      .flatMap((dependencies) => Object.entries(dependencies ?? {}))
      .filter(([, range]) => /[:/]/.test(range) && !/^npm:(@[\w.-]+\/)?[\w.-]+@[^:/]+$/.test(range))
      .map(([name, range]) => `${path}: ${name} ${range}`),
  );
  expect(foreign).toEqual([]);
});

test('package.json decides about exactly the packages that have an install script', () => {
  expect(names(({ hasInstallScript }) => hasInstallScript === true)).toEqual(Object.keys(allowScripts).toSorted());
});
