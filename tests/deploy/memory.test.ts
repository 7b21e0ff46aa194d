/**
 * Containers have the memory that their workers need: per worker its heap and 150 MiB, and 400 MiB for the primary. They have a bounded folder
 * for profiles.
 */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** What the expression captures in the file; the last of several. */
const last = (text: string, expression: RegExp): string => [...text.matchAll(expression)].at(-1)![1]!;

function neededMiB(workers: number, file: string): number {
  const heapMiB = Number(last(read(file), /--max-old-space-size=(\d+)/g));
  return workers * (heapMiB + 150) + 400;
}

test('an instance of docker-compose.yml', () => {
  const text = read('docker-compose.yml');
  const workers = Number(last(text, /WORKERS: \$\{WORKERS:-(\d+)\}/g));
  const memoryMiB = Number(last(text, /EXCHANGE_MEMORY:-(\d+)g\}/g)) * 1024;
  expect(memoryMiB).toBeGreaterThanOrEqual(neededMiB(workers, 'docker-compose.yml'));
});

test.each(['base/deployment.yaml', 'overlays/local/small.yaml'])('a pod of %s', (file) => {
  const text = read(`deploy/kubernetes/${file}`);
  const cpu = last(text, /^ *cpu: '?(\d+m?)'?$/gm);
  const workers = Math.ceil(cpu.endsWith('m') ? Number.parseInt(cpu) / 1000 : Number(cpu));
  const [requested, limit] = [...text.matchAll(/^ *memory: (\d+)(Mi|Gi)$/gm)].map(
    ([, amount, unit]) => Number(amount) * (unit === 'Gi' ? 1024 : 1),
  );
  expect(requested).toBe(limit);
  expect(limit).toBeGreaterThanOrEqual(neededMiB(workers, 'deploy/kubernetes/base/deployment.yaml'));
});

test('profiles of a pod are written to a bounded folder', () => {
  const text = read('deploy/kubernetes/base/deployment.yaml');
  expect(text).toMatch(/- name: tmp\n *mountPath: \/tmp\n/);
  expect(text).toMatch(/- name: tmp\n *emptyDir:\n *sizeLimit: 1Gi\n/);
});
