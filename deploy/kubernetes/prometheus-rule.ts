/** The rules of deploy/prometheus as a PrometheusRule for the Prometheus Operator. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dump, load } from 'js-yaml';
import { format, resolveConfig } from 'prettier';

const rulesFolder = new URL('../prometheus/rules/', import.meta.url);
const path = fileURLToPath(new URL('components/prometheus-operator/prometheus-rule.yaml', import.meta.url));

const groups = () =>
  readdirSync(rulesFolder)
    .sort()
    .flatMap((file) => (load(readFileSync(new URL(file, rulesFolder), 'utf8')) as { groups: object[] }).groups);

/** Returns the path of the manifest and its content. */
export async function renderPrometheusRule(): Promise<{ path: string; text: string }> {
  const labels = { 'app.kubernetes.io/name': 'gavel', 'app.kubernetes.io/component': 'exchange' };
  const manifest = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'gavel', namespace: 'gavel', labels },
    spec: { groups: groups() },
  };
  const text = `# Generated from deploy/prometheus/rules by \`make prometheus-rule\`.\n${dump(manifest, { lineWidth: -1 })}`;
  return { path, text: await format(text, { ...(await resolveConfig(path)), filepath: path }) };
}
