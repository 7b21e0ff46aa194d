/** deploy/pin-images adds the digests of a registry, here of a docker command that is a stand-in. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const files = ['deploy/digests.yml', 'deploy/kubernetes/components/redis/redis.yaml'];
const digest = `sha256:${'a1'.repeat(32)}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gavel-pin-'));
  for (const file of [...files, 'deploy/pin-images']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(repository, file), join(folder, file));
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (file: string) => readFileSync(join(folder, file), 'utf8');

/** Runs the script with a docker that prints this for `docker image inspect`; returns the exit status. */
function pin(inspected: string): number | null {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'bin/docker'), `#!/bin/sh\n[ "$1" = pull ] || echo "${inspected}"\n`, { mode: 0o755 });
  const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
  return spawnSync(join(folder, 'deploy/pin-images'), { env }).status;
}

/** Every image with a tag, with its digest if it has one. */
const images = () => files.flatMap((file) => read(file).match(/(?<=^ *(?:image|NODE_IMAGE): +)[\w./-]+:\S+/gm) ?? []);
const tags = () => images().map((image) => image.split('@')[0]!);

test('every image gets its digest, and a new one when the script runs again', () => {
  const before = tags();
  expect(before.length).toBeGreaterThan(5);
  expect(pin(`name@sha256:${'0'.repeat(64)}`)).toBe(0);
  expect(pin(`name@${digest}`)).toBe(0);
  expect(images()).toEqual(before.map((image) => `${image}@${digest}`));
});

test('nothing changes if an image has no digest', () => {
  const before = files.map(read);
  expect(pin('')).toBe(1);
  expect(files.map(read)).toEqual(before);
});
