/** The admin server of the primary: its routes and the window of the SLO report. */
import type { Server } from 'node:http';
import type { FleetMetrics } from '../observe/fleet-metrics.ts';
import { createReadyGauge } from '../observe/ready-gauge.ts';
import { readLatencies, SloWindow } from '../observe/slo.ts';
import { type AdminConsole, createAdminServer } from './admin-server.ts';
import { openApiRoute, type ServerUrls } from './console/open-api.ts';
import type { Fleet } from './fleet.ts';
import type { MetricsPoller } from './metrics-poller.ts';
import { type Health, notReadyReason, type NotReadyReason } from './readiness.ts';

export interface AdminParts {
  fleet: Fleet;
  poller: MetricsPoller;
  metrics: FleetMetrics;
  adminConsole: AdminConsole;
  hasStarted: () => boolean;
  /** Redis is required, and a worker cannot use it. */
  lacksRedis: () => boolean;
  /** Undefined until the workers listen. */
  urls: () => ServerUrls | undefined;
  /** Watches background work, which must not end the primary. */
  onFailure: (work: Promise<unknown>) => void;
}

const metricsPollIntervalMs = 5_000;
const sloWindowMs = 60_000;

export function createAdmin(parts: AdminParts): Server {
  const { fleet, poller, metrics, adminConsole, urls, onFailure } = parts;
  const slo = new SloWindow(sloWindowMs, performance.now());
  const readCounts = async () => {
    await poller.refresh();
    return readLatencies(await metrics.aggregated(), performance.now());
  };
  const addCounts = async () => slo.add(await readCounts());
  setInterval(() => onFailure(addCounts()), metricsPollIntervalMs).unref();
  const reasonNotReady = () =>
    notReadyReason({
      isDraining: fleet.isDraining,
      hasStarted: parts.hasStarted(),
      readyWorkers: fleet.ready,
      lacksRedis: parts.lacksRedis(),
    });
  metrics.add([createReadyGauge(() => reasonNotReady() === undefined)]);
  const routes = {
    '/healthz': () => health(fleet.alive > 0, fleet.alive),
    '/readyz': () => {
      const reason = reasonNotReady();
      return health(reason === undefined, fleet.ready, reason);
    },
    '/metrics': async () => {
      await poller.refresh();
      return { status: 200, body: await metrics.text() };
    },
    '/slo': async () => ({ status: 200, body: slo.report(await readCounts()) }),
    ...openApiRoute(urls),
  };
  return createAdminServer(routes, undefined, adminConsole);
}

function health(ok: boolean, workers: number, reason?: NotReadyReason): { status: number; body: Health } {
  return { status: ok ? 200 : 503, body: { ok, workers, ...(reason !== undefined && { reason }) } };
}
