/** The file of the exchange rates becomes invalid. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { allWorkersReady, hasGrown } from '../signs.ts';

const rates = JSON.stringify({ conversions: { USD: { EUR: 0.92 } } });

export const invalidRates: Fault = {
  name: 'invalid-rates',
  title: 'the rates file is invalid for 3 s',
  maxRecoveryMs: 5_000,
  async run(drill) {
    const file = join(drill.folder, 'rates.json');
    writeFileSync(file, rates);
    await drill.startExchange({ variables: { RATES_FILE: file } });
    await drill.startLoad();
    drill.faultBegins();
    writeFileSync(file, rates.slice(0, -1));
    await sleep(3_000);
    writeFileSync(file, rates);
    drill.faultEnds();
    return drill.observe({
      metric: { series: 'exchange_rates_errors_total', shows: hasGrown },
      logLine: { msg: 'rates file rejected; keeping the last valid rates' },
      isNormal: allWorkersReady,
    });
  },
};
