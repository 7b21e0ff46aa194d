/** The fuzzer finds every kind of defect: each planted target has one. */
import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { randomFor } from './generate/random.ts';
import { formatFinding } from './report.ts';
import { runTarget } from './run-target.ts';
import { shrink } from './shrink.ts';

const limits = { stallCpuMs: 10_000, stallMs: 60_000, heapMb: 100 };
const options = { ...limits, seed: 1, from: 0, to: 60, checkTime: true, maxDeaths: 1, maxShrinkTries: 50 };
const planted = (name: string): string => fileURLToPath(new URL(`planted/${name}.ts`, import.meta.url));

/** Every candidate that loops or exhausts the memory takes a while. A leak shows after many inputs. */
const optionsOf: Record<string, object> = {
  loops: { stallCpuMs: 500, maxShrinkTries: 3 },
  allocates: { heapMb: 40, maxShrinkTries: 2 },
  'allocates-buffers': { to: 20, maxShrinkTries: 2 },
  leaks: { to: 1_200, checkTime: false },
};
const minimal = (name: string): RegExp => (name in optionsOf ? /x/ : /^x$/);

test.each([
  ['loops', 'stall', /did not end/],
  ['allocates', 'crash', /out of memory/],
  ['allocates-buffers', 'memory', /raised the peak memory by \d+ MiB/],
  ['throws', 'exception', /the planted exception/],
  ['rejects', 'exception', /the planted rejection/],
  ['breaks-a-rule', 'violation', /the planted rule is broken/],
  ['is-quadratic', 'slow', /µs of CPU time/],
  ['leaks', 'memory', /the heap grew by \d+ MiB/],
  ['changes-its-verdict', 'violation', /the second run of the input/],
])('a target that %s is found as a %s', async (name, kind, message) => {
  const { findings } = await runTarget(planted(name), { ...options, ...optionsOf[name] });
  expect(findings.map((finding) => finding.kind)).toContain(kind);
  const found = findings.find((finding) => finding.kind === kind)!;
  expect(found.message).toMatch(message);
  if (found.reproduced && name !== 'changes-its-verdict')
    expect(Buffer.from(found.input).toString()).toMatch(minimal(name));
  else expect(['leaks', 'changes-its-verdict']).toContain(name);
});

test('a run continues after a stall and reports inputs that it did not stop at', async () => {
  const { stats, findings } = await runTarget(planted('loops'), { ...options, ...optionsOf['loops'], maxDeaths: 2 });
  expect(findings).toMatchObject([{ kind: 'stall', reproduced: true }]);
  expect(findings[0]!.count).toBe(2);
  expect(stats.inputs).toBeGreaterThan(findings[0]!.index + 1);
});

test('a finding is printed with commands that reproduce it', () => {
  const finding = { kind: 'stall', message: 'the input did not end', index: 7, count: 2, reproduced: true } as const;
  expect(formatFinding('gpp', { ...finding, input: Buffer.from('x') }, 5).split('\n')).toEqual([
    'gpp: stall: the input did not end',
    '  2 inputs, the first is number 7: make fuzz TARGET=gpp SEED=5 FROM=7 FUZZ=1',
    '  shrunk to 1 bytes: make fuzz TARGET=gpp INPUT=eA==',
  ]);
});

test('an input depends on its seed, its target and its index only', () => {
  const first = (seed: number, target: string, index: number) => randomFor(seed, target, index).next();
  expect(first(1, 'gpp', 5)).toBe(first(1, 'gpp', 5));
  const others = [first(1, 'gpp', 5), first(2, 'gpp', 5), first(1, 'tcf', 5), first(1, 'gpp', 6)];
  expect(new Set(others).size).toBe(others.length);
});

test('shrinking removes everything that a finding does not need, within its tries', async () => {
  let tries = 0;
  const needsBoth = async (input: Uint8Array) => {
    tries++;
    return Buffer.from(input).includes('<') && Buffer.from(input).includes('>');
  };
  const input = Buffer.from(`${'a'.repeat(300)}<${'b'.repeat(300)}>${'c'.repeat(300)}`);
  expect(Buffer.from(await shrink(input, needsBoth, 500)).toString()).toBe('<>');
  expect(tries).toBeLessThanOrEqual(500);
  expect((await shrink(input, needsBoth, 3)).length).toBeGreaterThan(2);
});
