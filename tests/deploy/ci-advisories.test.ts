/** What .ci/advisories prints, with a fake npm. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const advisories = fileURLToPath(new URL('../../.ci/advisories', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gavel-advisories-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function runWith(npm: string) {
  writeFileSync(join(folder, 'npm'), `#!/usr/bin/env bash\n${npm}\n`, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH}`, ADVISORIES_SECONDS: '1' };
  const { status, stdout } = spawnSync(advisories, { env, encoding: 'utf8' });
  return { status, lines: stdout.trim().split('\n') };
}

test('lists each advisory with severity, package, title and address, and does not fail', () => {
  const vulnerabilities = {
    qs: { name: 'qs', severity: 'high', via: [{ title: 'Memory exhaustion', url: 'https://advisories.example/1' }] },
    express: { name: 'express', severity: 'high', via: ['qs'] },
  };
  const { status, lines } = runWith(`echo '${JSON.stringify({ vulnerabilities })}'; exit 1`);
  expect(status).toBe(0);
  expect(lines).toEqual(
    ['runtime dependencies', 'all dependencies'].flatMap((label) => [
      `ci: advisories of ${label}: 2`,
      '  high qs: Memory exhaustion https://advisories.example/1',
      '  high express: by qs',
    ]),
  );
});

test('without advisories', () => {
  expect(runWith(`echo '{"vulnerabilities":{}}'`)).toMatchObject({
    status: 0,
    lines: ['ci: advisories of runtime dependencies: none known', 'ci: advisories of all dependencies: none known'],
  });
});

test.each([
  ['does not support them', `echo '{"message":"405","error":{"summary":""}}'; exit 1`],
  ['is offline', 'echo ECONNREFUSED >&2; exit 1'],
  ['does not respond', 'exec sleep 60'],
])('a registry that %s', (_name, npm) => {
  expect(runWith(npm)).toEqual({
    status: 0,
    lines: ['runtime', 'all'].map(
      (kind) => `ci: advisories of ${kind} dependencies: no advisories available from this registry`,
    ),
  });
});
