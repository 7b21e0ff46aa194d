/** A partner accepts calls and never responds. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { durationsBetween, quantile } from '../judge.ts';
import { DrillPartner } from '../partner.ts';
import { breakerClosed, breakerLine, breakerOpens } from '../signs.ts';

/** An auction that waits for the partner takes 150 ms, the soft budget. */
const maxMedianMs = 100;

export const partnerHangs: Fault = {
  name: 'partner-hangs',
  title: 'a partner accepts calls and never responds for 6 s; others bid',
  maxRecoveryMs: 6_000,
  async run(drill) {
    const partner = await DrillPartner.start('hanging');
    drill.onEnd(() => partner.stop());
    await drill.startExchange({ partners: [partner.at()] });
    const client = await drill.startLoad();
    drill.faultBegins();
    partner.delayMs = Infinity;
    await sleep(6_000);
    const nowMs = performance.now();
    const medianMs = quantile(durationsBetween(client.sent, nowMs - 3_000, nowMs), 0.5);
    drill.expect(
      `3 s after the beginning, requests took ${Math.round(medianMs)} ms in the median, goal below ${maxMedianMs} ms`,
      medianMs < maxMedianMs,
    );
    partner.delayMs = 0;
    drill.faultEnds();
    return drill.observe({
      metric: breakerOpens('hanging'),
      logLine: breakerLine('hanging'),
      isNormal: breakerClosed('hanging'),
    });
  },
};
