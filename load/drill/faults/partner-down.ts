/** A partner refuses connections. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { DrillPartner } from '../partner.ts';
import { breakerClosed, breakerLine, breakerOpens } from '../signs.ts';

export const partnerDown: Fault = {
  name: 'partner-down',
  title: 'a partner refuses connections for 4 s; others bid',
  maxRecoveryMs: 6_000,
  async run(drill) {
    const partner = await DrillPartner.start('down');
    drill.onEnd(() => partner.stop());
    await drill.startExchange({ partners: [partner.at()] });
    await drill.startLoad();
    drill.faultBegins();
    partner.stop();
    await sleep(4_000);
    await partner.start();
    drill.faultEnds();
    return drill.observe({
      metric: breakerOpens('down'),
      logLine: breakerLine('down'),
      isNormal: breakerClosed('down'),
    });
  },
};
