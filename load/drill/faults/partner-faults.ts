/** A partner that responds too late, or never, while others bid. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Expected } from '../drill.ts';
import type { Fault } from '../fault.ts';
import { durationsBetween, quantile } from '../judge.ts';
import { DrillPartner } from '../partner.ts';
import { breakerClosed, breakerLine, breakerOpens, hasGrown } from '../signs.ts';

const slowMs = 300;
/** An auction that waits for the partner takes 150 ms, the soft budget. */
const maxMedianMs = 100;

/** It accepts calls and never responds. */
export const partnerHangs: Fault = {
  name: 'partner-hangs',
  title: 'a partner accepts calls and never responds for 6 s; others bid',
  maxRecoveryMs: 6_000,
  run: delayPartner('hanging', Infinity, {
    metric: breakerOpens('hanging'),
    logLine: breakerLine('hanging'),
    isNormal: breakerClosed('hanging'),
  }),
};

/** It responds after the soft budget and before the hard one. */
export const partnerSlow: Fault = {
  name: 'partner-slow',
  title: `a partner responds after ${slowMs} ms for 6 s; others bid`,
  maxRecoveryMs: 6_000,
  withoutLogLine: 'how long a partner takes is a metric; the partner responds, so its circuit breaker stays closed.',
  run: delayPartner('slow', slowMs, {
    metric: { series: 'exchange_partner_duration_seconds_count{partner="slow",result="late"}', shows: hasGrown },
    isNormal: breakerClosed('slow'),
  }),
};

function delayPartner(name: string, delayMs: number, signs: Expected): Fault['run'] {
  return async (drill) => {
    const partner = await DrillPartner.start(name);
    drill.onEnd(() => partner.stop());
    await drill.startExchange({ partners: [partner.at()] });
    const client = await drill.startLoad();
    drill.faultBegins();
    partner.delayMs = delayMs;
    await sleep(6_000);
    const nowMs = performance.now();
    const medianMs = quantile(durationsBetween(client.sent, nowMs - 3_000, nowMs), 0.5);
    drill.expect(
      `3 s after the beginning, requests took ${Math.round(medianMs)} ms in the median, goal below ${maxMedianMs} ms`,
      medianMs < maxMedianMs,
    );
    partner.delayMs = 0;
    drill.faultEnds();
    return drill.observe(signs);
  };
}
