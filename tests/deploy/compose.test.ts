/** docker-compose.yml: bounded resources, pinned images, Redis with a password, alerts that reach Alertmanager. */
import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { load, YAML11_SCHEMA } from 'js-yaml';

interface Service {
  image: string;
  mem_limit?: string;
  cpus?: number;
  logging?: { driver: string; options: Record<string, string> };
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  command?: string | string[];
  tmpfs?: string[];
}

interface AlertmanagerConfig {
  route: { receiver: string; routes: { receiver: string; matchers: string[] }[] };
  receivers: { name: string }[];
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
// Compose merges keys (<<), as YAML 1.1 does.
const { services } = load(read('docker-compose.yml'), { schema: YAML11_SCHEMA }) as {
  services: Record<string, Service>;
};
const haproxy = read('deploy/haproxy/haproxy.cfg');
const alertmanager = load(read('deploy/alertmanager/alertmanager.yml')) as AlertmanagerConfig;

describe.each(Object.entries(services))('%s', (name, service) => {
  test('has a memory limit and rotated logs', () => {
    expect(service.mem_limit).toMatch(/\d+[mg]\b/);
    expect(service.logging).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } });
  });

  test('has an image of an exact version', () => {
    if (service.image !== 'gavel') expect(service.image).toMatch(/:v?\d+\.\d+\.\d+[\w.-]*$/);
  });

  test('has a CPU limit unless it is on the path of requests', () => {
    expect(service.cpus === undefined).toBe(/^(haproxy|exchange-\d)$/.test(name));
  });
});

test('the image has the Node.js version that the tests run on', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
  const images = read('deploy/Dockerfile').match(/(?<=^ARG NODE_IMAGE=node:)[\d.]+/gm);
  expect(images).toEqual([devDependencies.node]);
});

describe('by digest', () => {
  const { services: pinned } = load(read('deploy/digests.yml')) as {
    services: Record<string, { image: string } | { build: { args: { NODE_IMAGE: string } } }>;
  };
  const imageOf = (name: string): string => {
    const service = pinned[name]!;
    return 'image' in service ? service.image : service.build.args.NODE_IMAGE;
  };
  const tagOf = (image: string): string => /^(\S+)@sha256:[0-9a-f]{64}$/.exec(image)![1]!;

  test('every image has the tag that it has without', () => {
    const tags = Object.entries(services).filter(([, { image }]) => image !== 'gavel');
    const node = /^ARG NODE_IMAGE=(\S+)$/m.exec(read('deploy/Dockerfile'))![1]!;
    expect(Object.fromEntries(Object.keys(pinned).map((name) => [name, tagOf(imageOf(name))]))).toEqual({
      ...Object.fromEntries(tags.map(([name, { image }]) => [name, image])),
      sandbox: node,
    });
  });

  test('the image is built from no other', () => {
    const stages = read('deploy/Dockerfile').match(/^FROM .*$/gm)!;
    for (const stage of stages) expect(stage).toMatch(/^FROM \$\{NODE_IMAGE\}( AS \w+)?$/);
  });

  test('the Redis of the Kubernetes manifests is the same', () => {
    expect(read('deploy/kubernetes/components/redis/redis.yaml')).toContain(`image: ${imageOf('redis')}\n`);
  });
});

test('the exchange has the command of `npm start` and of the image, and a bounded folder for profiles', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
  const command = JSON.parse(/^CMD (.*)$/m.exec(read('deploy/Dockerfile'))![1]!) as string[];
  expect(scripts.start).toMatch(new RegExp(` exec ${command.join(' ')}$`));
  for (const name of ['exchange-1', 'exchange-2']) {
    const { command: ofService, tmpfs } = services[name]!;
    expect((ofService as string).replace('${EXCHANGE_NODE_ARGS:-} ', '')).toBe(command.join(' '));
    expect(tmpfs).toEqual(['/tmp:size=${TMP_SIZE:-64m}']);
  }
});

test('the image builds the console from all that it imports', () => {
  const stage = /AS console\n([\s\S]*?)\nFROM /.exec(read('deploy/Dockerfile'))![1]!;
  const copied = [...stage.matchAll(/^COPY (src\S*) /gm)].map(([, path]) => `${path}/`);
  const files = readdirSync('src/console', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const imported = files.flatMap((name) =>
    [...read(`src/console/${name}`).matchAll(/from '(\.[^']+)'/g)].map(([, path]) =>
      join('src/console', dirname(name), path!),
    ),
  );
  expect(imported).toContain('src/contract/console-api.ts');
  expect(imported.filter((path) => !copied.some((folder) => path.startsWith(folder)))).toEqual([]);
});

test('the trial has every variable of the compose file from its own settings', () => {
  const variables = new Set([...read('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!));
  const trial = read('deploy/compose-trial');
  const exported = new Set(
    [...trial.matchAll(/^export .*$/gm)].flatMap(([line]) => line.match(/\b[A-Z_]+(?==)/g) ?? []),
  );
  expect([...variables].filter((name) => !exported.has(name))).toEqual(['GRAFANA_PASSWORD']);
});

test('the exchange authenticates with the password that Redis requires', () => {
  const password = services.redis!.environment!.REDISCLI_AUTH!;
  expect(password).toMatch(/^\$\{REDIS_PASSWORD:-\w+\}$/);
  for (const name of ['exchange-1', 'exchange-2'])
    expect(services[name]!.environment!.REDIS_URL).toBe(`redis://:${password}@redis:6379`);
});

test('the console has a token from the environment, and its port is on the loopback interface only', () => {
  for (const name of ['exchange-1', 'exchange-2'])
    expect(services[name]!.environment!.ADMIN_TOKEN).toBe('${ADMIN_TOKEN:-}');
  expect(services['exchange-1']!.ports).toEqual(['127.0.0.1:${ADMIN_PORT:-9464}:9464']);
  expect(services['exchange-2']!.ports).toBeUndefined();
});

test('the image has the pages of the console and the API description', () => {
  const dockerfile = read('deploy/Dockerfile');
  expect(dockerfile).toContain('COPY --from=console /app/dist/console dist/console');
  expect(read('.dockerignore').split('\n')).toContain('!docs/openapi.json');
});

describe('HAProxy', () => {
  test('bounds the requests of an instance below what one worker takes, and the time in its queue', () => {
    const maxHandling = 2_000; // src/worker.ts
    expect(Number(/default-server maxconn (\d+)/.exec(haproxy)![1])).toBeLessThan(maxHandling);
    expect(haproxy).toMatch(/^ *timeout queue \d+ms$/m);
  });

  test('has a server for every instance', () => {
    const servers = [...haproxy.matchAll(/^ *server (\S+)/gm)].map(([, name]) => name);
    expect(servers).toEqual(Object.keys(services).filter((name) => name.startsWith('exchange-')));
  });
});

describe('alerts', () => {
  test('go from Prometheus to Alertmanager', () => {
    const prometheus = load(read('deploy/prometheus/prometheus.yml')) as {
      alerting: { alertmanagers: { static_configs: { targets: string[] }[] }[] };
    };
    const targets = prometheus.alerting.alertmanagers.flatMap((one) =>
      one.static_configs.flatMap((two) => two.targets),
    );
    expect(targets).toEqual(['alertmanager:9093']);
    expect(services.alertmanager!.volumes).toEqual(['./deploy/alertmanager:/etc/alertmanager:ro']);
  });

  test('are routed by a severity that the rules use, to receivers that exist', () => {
    const { route, receivers } = alertmanager;
    const names = receivers.map(({ name }) => name);
    expect([route, ...route.routes].map(({ receiver }) => receiver).filter((name) => !names.includes(name))).toEqual(
      [],
    );
    const rules = readdirSync(new URL('../../deploy/prometheus/rules/', import.meta.url))
      .map((file) => read(`deploy/prometheus/rules/${file}`))
      .join('\n');
    for (const [, severity] of JSON.stringify(route.routes).matchAll(/severity = \\"(\w+)/g))
      expect(rules).toContain(`severity: ${severity}`);
  });
});
