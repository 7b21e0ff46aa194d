/** Whether the instance takes traffic, for alerts. The number of ready workers does not show it, for example while Redis is required and unavailable. */
import { Gauge } from 'prom-client';

export const createReadyGauge = (isReady: () => boolean): Gauge =>
  new Gauge({
    name: 'exchange_ready',
    help: 'Whether the instance takes traffic: 1 if /readyz responds with 200, else 0',
    registers: [],
    collect() {
      this.set(isReady() ? 1 : 0);
    },
  });
