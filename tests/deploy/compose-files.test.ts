/** deploy/compose-files chooses between images by digest and by tag; here docker is a stand-in. */
import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `docker image inspect` prints how many digests of registries an image has, or fails if there is no such image. */
test.each([
  ['unless an image was built on this machine', 'echo 0', ''],
  ['if images were pulled', 'echo 1', '-f docker-compose.yml -f deploy/digests.yml'],
  ['before images were pulled', 'exit 1', '-f docker-compose.yml -f deploy/digests.yml'],
])('digests are used %s', (_when, docker, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'gavel-docker-'));
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${docker}\n`, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH}` };
  const files = spawnSync(fileURLToPath(new URL('../../deploy/compose-files', import.meta.url)), { env });
  rmSync(folder, { recursive: true });
  expect(files.stdout.toString().trim()).toBe(expected);
});
