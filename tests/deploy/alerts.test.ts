/** The alerting rules are valid, pass their unit tests, and have a severity, a summary and a runbook. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Prometheus, promtool, type Rule, rulesFolder, startPrometheus } from '../support/prometheus.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const testsFolder = `${repository}deploy/prometheus/tests/`;
const ruleFiles = readdirSync(rulesFolder);
const testFiles = readdirSync(testsFolder);
const runbooks = readdirSync(`${repository}deploy/runbooks`).filter((file) => file !== 'README.md');

/** Every expectation of the unit tests: the alert, and whether it must fire. */
const expectations = testFiles.flatMap((file) =>
  [...readFileSync(testsFolder + file, 'utf8').matchAll(/alertname: (\w+)\s+exp_alerts:(.*)/g)].map(
    ([, alert, rest]) => ({ alert, fires: rest!.trim() !== '[]' }),
  ),
);

let prometheus: Prometheus;
let rules: Rule[];
let alerts: Rule[];
beforeAll(async () => {
  prometheus = await startPrometheus([]);
  rules = await prometheus.rules();
  alerts = rules.filter(({ type }) => type === 'alerting');
});
afterAll(() => prometheus?.end());

test.each(ruleFiles)('rules/%s is valid', (file) => {
  const { status, output } = promtool(['check', 'rules', rulesFolder + file]);
  expect(output).toContain('SUCCESS');
  expect(status).toBe(0);
});

test.each(testFiles)(
  'the unit tests in tests/%s pass',
  (file) => {
    const { status, output } = promtool(['test', 'rules', testsFolder + file]);
    expect(output).toContain('SUCCESS');
    expect(status).toBe(0);
  },
  60_000,
);

/** An operator may put the URL of a repository in front of it. */
const runbookPath = ({ runbook_url }: Record<string, string>): string =>
  runbook_url!.slice(runbook_url!.indexOf('deploy/runbooks/'));

test('every alert has a severity, a summary, a description and an existing runbook', () => {
  expect(alerts.length).toBeGreaterThan(0);
  for (const { name, labels, annotations } of alerts) {
    expect({ name, ...labels }).toMatchObject({ severity: expect.stringMatching(/^(page|ticket)$/) });
    expect({ name, ...annotations }).toMatchObject({
      summary: expect.stringMatching(/\w/),
      description: expect.stringMatching(/\w/),
      runbook_url: expect.stringMatching(/^(https:\/\/\S+\/)?deploy\/runbooks\/[\w-]+\.md$/),
    });
    expect({ name, runbook: existsSync(repository + runbookPath(annotations!)) }).toEqual({ name, runbook: true });
  }
});

test('every runbook belongs to one alert and names it', () => {
  for (const runbook of runbooks) {
    const owners = alerts.filter(({ annotations }) => runbookPath(annotations!) === `deploy/runbooks/${runbook}`);
    expect({ runbook, owners: new Set(owners.map(({ name }) => name)).size }).toEqual({ runbook, owners: 1 });
    expect(readFileSync(`${repository}deploy/runbooks/${runbook}`, 'utf8')).toContain(`\`${owners[0]!.name}\``);
  }
});

test.each(runbooks)('%s has the sections of a runbook', (runbook) => {
  const text = readFileSync(`${repository}deploy/runbooks/${runbook}`, 'utf8');
  const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
  expect(sections).toEqual(['Impact', 'Check first', 'Mitigate', 'Fix', 'Resolved when']);
});

test('every alert has a unit test in which it fires and one in which it does not', () => {
  const names = new Set(alerts.map(({ name }) => name));
  const tested = (fires: boolean) =>
    new Set(expectations.filter((one) => one.fires === fires).map(({ alert }) => alert));
  expect(tested(true)).toEqual(names);
  expect(tested(false)).toEqual(names);
});
