/** deploy/compose-files chooses between images by digest and by tag; here docker is a stand-in. */
import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pinned = '-f docker-compose.yml -f deploy/digests.yml';

test.each([
  ['if the pinned images were pulled', 'exit 0', pinned],
  ['before images were pulled', 'exit 1', pinned],
  ['unless one of them is another image here', 'case $3 in prom/prometheus:*@*) exit 1;; esac', ''],
])('digests are used %s', (_when, inspect, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'gavel-docker-'));
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${inspect}\n`, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH}` };
  const { stdout, stderr } = spawnSync(fileURLToPath(new URL('../../deploy/compose-files', import.meta.url)), { env });
  rmSync(folder, { recursive: true });
  expect(stdout.toString().trim()).toBe(expected);
  if (expected === '') expect(stderr.toString()).toContain('docker image rm prom/prometheus:');
  else expect(stderr.toString()).toBe('');
});
