/** How .ci/smoke evaluates the smoke scenario, with a fake k6 that writes prepared summaries. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const smoke = fileURLToPath(new URL('../../.ci/smoke', import.meta.url));
const latency = 'http_req_duration{phase:measured,traffic:live}';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gavel-smoke-'));
  mkdirSync(join(folder, 'bin'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A summary in which these thresholds were crossed and these checks failed. */
function summary(crossed: string[], failed: string[] = []): object {
  const thresholds = (name: string) => ({ values: {}, thresholds: { 'p(99)<200': { ok: !crossed.includes(name) } } });
  return {
    rate: 20,
    seconds: 10,
    metrics: Object.fromEntries([latency, 'checks', 'dropped_iterations'].map((name) => [name, thresholds(name)])),
    checks: failed.map((name) => ({ name, passes: 0, fails: 1 })),
  };
}

/** Runs the script with a k6 that writes these summaries in turn, while a share of the CPU time is withheld; `attempts` counts the runs of k6. */
function runWith(summaries: object[], withheldPercent = 0) {
  const stat = join(folder, 'stat');
  writeFileSync(stat, 'cpu  0 0 0 0 0 0 0 0 0 0\n');
  summaries.forEach((one, at) => writeFileSync(join(folder, `${at + 1}.json`), JSON.stringify(one)));
  const k6 = `#!/usr/bin/env bash
    [[ $1 == version ]] && { echo 'k6 v1.0.0'; exit 0; }
    echo run >>${folder}/attempts
    attempt=$(wc -l <${folder}/attempts)
    echo "cpu  $((attempt * ${100 - withheldPercent})) 0 0 0 0 0 0 $((attempt * ${withheldPercent})) 0 0" >${stat}
    cat "${folder}/$attempt.json" >"$SUMMARY_FILE"
    grep -q 'false\\|"fails":1' "$SUMMARY_FILE" && exit 99 || exit 0`;
  writeFileSync(join(folder, 'bin', 'k6'), k6, { mode: 0o755 });
  return run({ PATH: `${join(folder, 'bin')}:${process.env.PATH}`, PROC_STAT: stat });
}

/** With TARGET_URL set, the script starts no exchange. */
function run(variables: Record<string, string>) {
  const env = { HOME: folder, TARGET_URL: 'http://127.0.0.1:9', ...variables };
  const { status, stdout } = spawnSync(smoke, { env, encoding: 'utf8' });
  return { status, stdout, attempts: attempts() };
}

function attempts(): number {
  try {
    return readFileSync(join(folder, 'attempts'), 'utf8').trim().split('\n').length;
  } catch {
    return 0; // k6 was not run
  }
}

const good = summary([]);

test('one good run is enough', () => {
  expect(runWith([good])).toMatchObject({ status: 0, attempts: 1 });
});

test.each([
  ['late responses', [latency]],
  ['late responses and dropped requests', [latency, 'dropped_iterations']],
])('%s get a second attempt', (_, crossed) => {
  expect(runWith([summary(crossed), good])).toMatchObject({ status: 0, attempts: 2 });
});

test('responses that are late twice fail', () => {
  expect(runWith([summary([latency]), summary([latency]), good], 10)).toMatchObject({ status: 75, attempts: 2 });
});

test('responses that are late twice while more than a tenth of the CPU time is withheld are not judged', () => {
  const { status, attempts: count, stdout } = runWith([summary([latency]), summary([latency]), good], 11);
  expect({ status, count }).toEqual({ status: 0, count: 2 });
  expect(stdout).toContain('latency NOT JUDGED');
});

test('a wrong response fails, however much CPU time is withheld', () => {
  const bad = summary([latency], ['status as expected']);
  expect(runWith([bad, good], 90)).toMatchObject({ status: 99, attempts: 1 });
});

test.each([
  ['a wrong response', summary([], ['status as expected'])],
  ['a wrong response among late ones', summary([latency], ['status as expected'])],
  ['too many wrong responses', summary([latency, 'checks'], ['status as expected'])],
  ['dropped requests without late responses', summary(['dropped_iterations'])],
])('%s: fails without a second attempt', (_, bad) => {
  const { status, attempts: count, stdout } = runWith([bad, good]);
  expect(status).toBeGreaterThan(0);
  expect(count).toBe(1);
  expect(stdout).toContain('FAILED');
});

test('without k6 and Go, it prints that it was not run, and passes', () => {
  for (const tool of ['bash', 'cat', 'dirname', 'grep'])
    symlinkSync(execFileSync('which', [tool]).toString().trim(), join(folder, 'bin', tool));
  const { status, stdout } = run({ PATH: join(folder, 'bin') });
  expect(status).toBe(0);
  expect(stdout).toContain('NOT RUN');
});
