/** The PrometheusRule of the Kubernetes manifests has the rules of deploy/prometheus. */
import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { renderPrometheusRule } from '../../deploy/kubernetes/prometheus-rule.ts';

test('the generated file is up to date (make prometheus-rule)', async () => {
  const { path, text } = await renderPrometheusRule();
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('it has every alert, and the component has it', async () => {
  const { text } = await renderPrometheusRule();
  const rules = new URL('../../deploy/prometheus/rules/', import.meta.url);
  const alerts = readdirSync(rules).flatMap(
    (file) => readFileSync(new URL(file, rules), 'utf8').match(/alert: \w+/g) ?? [],
  );
  expect(alerts.length).toBeGreaterThan(0);
  expect(text.match(/alert: \w+/g)).toEqual(alerts);
  const component = new URL('../../deploy/kubernetes/components/prometheus-operator/', import.meta.url);
  expect(readFileSync(new URL('kustomization.yaml', component), 'utf8')).toContain('- prometheus-rule.yaml');
});
