/** SIGHUP with an invalid partners file. */
import { writeFileSync } from 'node:fs';
import type { Fault } from '../fault.ts';
import { allWorkersReady } from '../signs.ts';

export const invalidReload: Fault = {
  name: 'invalid-reload',
  title: 'SIGHUP with an invalid partners file',
  maxRecoveryMs: 12_000,
  async run(drill) {
    const exchange = await drill.startExchange();
    await drill.startLoad();
    drill.faultBegins();
    writeFileSync(exchange.demandFile, '{ "partners": [{ "name": "x" }] }');
    exchange.process.kill('SIGHUP');
    return drill.observe({
      metric: { series: 'exchange_config_reload_successful', shows: (value) => value === 0 },
      logLine: { msg: 'configuration reload failed; keeping the current configuration' },
      isNormal: allWorkersReady,
    });
  },
};
