/** The learned deadline of each partner, read when the metrics are collected. Workers learn apart; the maximum is reported. */
import { Gauge } from 'prom-client';

export interface PartnerDeadline {
  name: string;
  /** Undefined for a local bidder, which is not waited for. */
  readonly deadlineMs: number | undefined;
}

export const createDeadlineGauge = (partners: readonly PartnerDeadline[]): Gauge =>
  new Gauge({
    name: 'exchange_partner_deadline_seconds',
    help: 'How long an auction that has a valid bid waits for a partner, maximum over all workers',
    labelNames: ['partner'],
    aggregator: 'max',
    registers: [],
    collect() {
      for (const { name, deadlineMs } of partners) {
        if (deadlineMs !== undefined) this.set({ partner: name }, deadlineMs / 1000);
      }
    },
  });
