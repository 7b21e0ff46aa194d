/** The Kubernetes manifests are consistent with the code and with each other. */
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { environment } from '../../src/config/environment.ts';
import { readPartners } from '../../src/config/partners-file.ts';
import { readConfig } from '../../src/config/config.ts';
import { startGavel } from '../support/start-gavel.ts';
import { loadAll } from 'js-yaml';

type Labels = Record<string, string>;

interface Manifest {
  kind: string;
  metadata: { name: string; labels?: Labels };
  spec: Record<string, unknown>;
}

interface Probe {
  httpGet: { path: string; port: string };
}

interface Container {
  name: string;
  ports: { name: string; containerPort: number }[];
  env: { name: string; value?: string; valueFrom?: { resourceFieldRef?: { resource: string } } }[];
  envFrom: { configMapRef: { name: string } }[];
  startupProbe: Probe;
  readinessProbe: Probe;
  livenessProbe: Probe;
  lifecycle: { preStop: { sleep: { seconds: number } } };
  resources: { requests: { cpu: string } };
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
}

interface Pod {
  terminationGracePeriodSeconds: number;
  enableServiceLinks: boolean;
  securityContext: object;
  containers: Container[];
  volumes: { name: string; configMap: { name: string } }[];
  topologySpreadConstraints: { labelSelector: { matchLabels: Labels } }[];
}

interface Kustomization {
  resources: string[];
  secretGenerator?: { name: string; literals: string[] }[];
  configMapGenerator: { name: string; files?: string[]; literals?: string[]; options?: object }[];
}

interface Rule {
  to?: { ipBlock?: { cidr: string } }[];
  from?: { namespaceSelector: { matchLabels: Labels } }[];
  ports: { port: number }[];
}

const folder = fileURLToPath(new URL('../../deploy/kubernetes/', import.meta.url));
const read = (path: string) => readFileSync(folder + path, 'utf8');
const kustomization = (path: string) => loadAll(read(`${path}/kustomization.yaml`))[0] as Kustomization;

const base = kustomization('base').resources.flatMap((file) => loadAll(read(`base/${file}`)) as Manifest[]);
const serviceMonitor = loadAll(read('components/prometheus-operator/service-monitor.yaml'))[0] as Manifest;
const redis = loadAll(read('components/redis/redis.yaml')) as Manifest[];

function find(kind: string, name = 'gavel', among = base): unknown {
  const found = among.find((one) => one.kind === kind && one.metadata.name === name);
  if (!found) throw new Error(`no ${kind} ${name}`);
  return found.spec;
}

const deployment = find('Deployment') as {
  replicas?: number;
  selector: { matchLabels: Labels };
  template: { metadata: { labels: Labels }; spec: Pod };
};
const pod = deployment.template.spec;
const podLabels = deployment.template.metadata.labels;
const exchange = pod.containers[0]!;
const portOf = (name: string) => exchange.ports.find((port) => port.name === name)!.containerPort;
const policy = find('NetworkPolicy') as { podSelector: { matchLabels: Labels }; ingress: Rule[]; egress: Rule[] };

/** The settings of a pod of the base, or of an overlay. */
function settings(overlay?: string): Record<string, string> {
  const literals = ['base', ...(overlay === undefined ? [] : [`overlays/${overlay}`])].flatMap((path) =>
    kustomization(path)
      .configMapGenerator.filter(({ name }) => name === 'gavel-settings')
      .flatMap((one) => one.literals ?? []),
  );
  return Object.fromEntries(
    literals.map((literal) => {
      const [name, ...value] = literal.split('=');
      return [name!, value.join('=')];
    }),
  );
}

describe('settings of a pod', () => {
  const known = Object.keys(environment.describe().keys as object);

  test.each([undefined, 'production', 'local'])('the exchange knows every variable (overlay %s)', (overlay) => {
    const ofNode = ['NODE_OPTIONS'];
    const names = [...exchange.env.map(({ name }) => name), ...Object.keys(settings(overlay))];
    expect(names.filter((name) => !ofNode.includes(name) && !known.includes(name))).toEqual([]);
    const { DEMAND_FILE: _, ...others } = settings(overlay);
    expect(() => readConfig(others)).not.toThrow();
  });

  test('the settings reach the container from a ConfigMap whose name changes with its content', () => {
    const generators = kustomization('base').configMapGenerator;
    expect(exchange.envFrom).toEqual([{ configMapRef: { name: 'gavel-settings' } }]);
    expect(generators.map(({ name }) => name).sort()).toEqual(['gavel-partners', 'gavel-settings']);
    expect(generators.filter(({ options }) => options)).toEqual([]);
  });

  test('the number of workers is the number of requested cores', () => {
    const workers = exchange.env.find(({ name }) => name === 'WORKERS');
    expect(workers?.valueFrom?.resourceFieldRef).toMatchObject({ resource: 'requests.cpu', divisor: '1' });
    expect(exchange.resources.requests.cpu).toMatch(/^\d+$/);
  });

  test('the token of the console comes from a Secret that may be missing', () => {
    const token = exchange.env.find(({ name }) => name === 'ADMIN_TOKEN');
    expect(token?.valueFrom).toEqual({ secretKeyRef: { name: 'gavel-console', key: 'token', optional: true } });
    expect(read('README.md')).toContain('create secret generic gavel-console --from-literal=token=');
  });

  test('Services do not set variables', () => expect(pod.enableServiceLinks).toBe(false));

  test('production trusts proxies by address, not by number of hops', () => {
    expect(readConfig({ TRUST_PROXY: settings('production').TRUST_PROXY }).trustProxy).toMatch(/[.:]/);
  });
});

describe('the partners file', () => {
  const content = JSON.parse(read('base/partners.json')) as { partners: { endpoint?: string }[] };

  test('is valid', () => {
    expect(readPartners(content, 'partners.json')).not.toHaveProperty('problems');
  });

  test('is mounted where DEMAND_FILE points', () => {
    const mount = exchange.volumeMounts[0]!;
    const volume = pod.volumes.find(({ name }) => name === mount.name)!;
    const generator = kustomization('base').configMapGenerator.find(({ name }) => name === volume.configMap.name)!;
    expect(`${mount.mountPath}/${generator.files![0]}`).toBe(settings().DEMAND_FILE);
  });

  test('uses only ports that the network policy allows', () => {
    const open = policy.egress.filter(({ to }) => to?.some(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0'));
    const ports = open.flatMap((rule) => rule.ports.map(({ port }) => port));
    for (const { endpoint } of content.partners.filter((partner) => partner.endpoint !== undefined)) {
      const { port, protocol } = new URL(endpoint!);
      expect(ports).toContain(port === '' ? { 'http:': 80, 'https:': 443 }[protocol] : Number(port));
    }
  });
});

test('the ports are those that the exchange listens on', () => {
  const { endpoint, admin } = readConfig(settings('local'));
  expect([portOf('bids'), portOf('admin')]).toEqual([endpoint.port, admin.port]);
  expect([endpoint.host, admin.host]).toEqual(['0.0.0.0', '0.0.0.0']);
});

test('a running exchange responds with 200 at the paths of the probes and of the ServiceMonitor', async () => {
  const { startupProbe, readinessProbe, livenessProbe } = exchange;
  const probes = [startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet);
  expect(probes.map(({ path }) => path)).toEqual(['/healthz', '/readyz', '/healthz']);
  const { endpoints } = serviceMonitor.spec as { endpoints: { path: string; port: string }[] };
  const gavel = await startGavel({ ...settings(), DEMAND_FILE: `${folder}base/partners.json`, WORKERS: '1' });
  for (const { path, port } of [...probes, ...endpoints]) {
    expect(port).toBe('admin');
    expect((await fetch(gavel.admin + path)).status).toBe(200);
  }
  expect(await gavel.end()).toBe(0);
});

test('the grace period of a pod is longer than preStop and the drain', () => {
  const preStopMs = exchange.lifecycle.preStop.sleep.seconds * 1_000;
  const killAfterMs = 500; // src/fleet/fleet.ts
  for (const overlay of [undefined, 'production', 'local']) {
    const { drainMs } = readConfig({ DRAIN_MS: settings(overlay).DRAIN_MS });
    expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(preStopMs + drainMs + killAfterMs);
  }
});

describe('selectors match the pods', () => {
  test.each(['gavel', 'gavel-admin'])('Service %s', (name) => {
    const { selector, ports } = find('Service', name) as {
      selector: Labels;
      ports: { port: number; targetPort: string }[];
    };
    expect(podLabels).toMatchObject(selector);
    for (const { port, targetPort } of ports) expect(portOf(targetPort)).toBe(port);
  });

  test('Deployment, spread, disruption budget and network policy', () => {
    const budget = find('PodDisruptionBudget') as { selector: { matchLabels: Labels } };
    const spread = pod.topologySpreadConstraints.map(({ labelSelector }) => labelSelector.matchLabels);
    for (const selector of [deployment.selector.matchLabels, budget.selector.matchLabels, ...spread])
      expect(selector).toEqual(podLabels);
    expect(policy.podSelector.matchLabels).toEqual(podLabels);
  });

  test('autoscaler, which alone sets the number of replicas', () => {
    const { scaleTargetRef, metrics } = find('HorizontalPodAutoscaler') as {
      scaleTargetRef: object;
      metrics: object[];
    };
    expect(scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'gavel' });
    expect(metrics).toEqual([expect.objectContaining({ containerResource: expect.anything() })]);
    expect(metrics[0]).toMatchObject({ containerResource: { container: exchange.name } });
    expect(deployment.replicas).toBeUndefined();
  });

  test('ServiceMonitor, with the job that the alerts select', () => {
    const { jobLabel, selector } = serviceMonitor.spec as { jobLabel: string; selector: { matchLabels: Labels } };
    const monitored = base.filter(
      ({ kind, metadata }) => kind === 'Service' && metadata.labels?.['gavel/service'] === 'admin',
    );
    expect(monitored.map(({ metadata }) => metadata.name)).toEqual(['gavel-admin']);
    expect(monitored[0]!.metadata.labels).toMatchObject(selector.matchLabels);
    const rules = readFileSync(new URL('../../deploy/prometheus/rules/traffic.yml', import.meta.url), 'utf8');
    expect(rules).toContain(`job="${monitored[0]!.metadata.labels![jobLabel]}"`);
  });

  test('Redis, and only Redis', () => {
    const { selector } = find('Service', 'gavel-redis', redis) as { selector: Labels };
    const { template } = find('Deployment', 'gavel-redis', redis) as { template: { metadata: { labels: Labels } } };
    expect(template.metadata.labels).toEqual(selector);
    expect(selector).not.toEqual(podLabels);
    expect(policy.egress).toContainEqual({
      to: [{ podSelector: { matchLabels: selector } }],
      ports: [{ port: 6379 }],
    });
  });
});

describe('the ingress of production', () => {
  const { ingressClassName, tls, rules } = (loadAll(read('overlays/production/ingress.yaml'))[0] as Manifest).spec as {
    ingressClassName: string;
    tls: { hosts: string[]; secretName: string }[];
    rules: { host: string; http: { paths: { path: string; pathType: string; backend: { service: Backend } }[] } }[];
  };

  interface Backend {
    name: string;
    port: { name: string };
  }

  test('is part of the overlay, with a class and a certificate for each host', () => {
    expect(kustomization('overlays/production').resources).toContain('ingress.yaml');
    expect(ingressClassName).toMatch(/\w/);
    expect(tls.flatMap(({ hosts }) => hosts)).toEqual(rules.map(({ host }) => host));
  });

  test('sends the path of bid requests, and nothing else, to a port of a Service', () => {
    const paths = rules.flatMap(({ http }) => http.paths);
    expect(paths.map(({ path, pathType }) => [path, pathType])).toEqual([['/openrtb2', 'Exact']]);
    for (const { backend } of paths) {
      const { ports } = find('Service', backend.service.name) as { ports: { name: string; targetPort: string }[] };
      const port = ports.find(({ name }) => name === backend.service.port.name)!;
      expect(port.targetPort).toBe('bids');
    }
  });
});

test('Redis requires the password that the URL has', () => {
  const { literals } = kustomization('components/redis').secretGenerator![0]!;
  const secret = Object.fromEntries(literals.map((literal) => literal.split('=') as [string, string]));
  expect(new URL(secret.url!).password).toBe(secret.password);
  const { template } = find('Deployment', 'gavel-redis', redis) as { template: { spec: Pod } };
  expect(template.spec.containers[0]).toMatchObject({
    command: ['sh', '-c', expect.stringContaining('requirepass $REDISCLI_AUTH')],
    env: [{ name: 'REDISCLI_AUTH', valueFrom: { secretKeyRef: { name: 'gavel-redis', key: 'password' } } }],
  });
});

test('only the monitoring namespace can reach the admin server; anybody can send bid requests', () => {
  const rulesFor = (port: number) => policy.ingress.filter(({ ports }) => ports.some((one) => one.port === port));
  expect(rulesFor(portOf('bids'))).toEqual([{ ports: [{ port: portOf('bids') }] }]);
  expect(rulesFor(portOf('admin')).map(({ from }) => from)).toEqual([
    [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
  ]);
});

test.each([
  ['exchange', pod],
  ['Redis', (find('Deployment', 'gavel-redis', redis) as { template: { spec: Pod } }).template.spec],
])('%s runs without privileges', (_, { securityContext, containers }) => {
  expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  for (const container of containers) {
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  }
});
