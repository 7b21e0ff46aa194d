/** The collector of spans accepts exports and never responds. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startCollector } from '../../../tests/support/otlp-collector.ts';
import { until } from '../../../tests/support/until.ts';
import type { Fault } from '../fault.ts';
import { allWorkersReady, hasGrown } from '../signs.ts';

export const collectorHangs: Fault = {
  name: 'collector-hangs',
  title: 'the OpenTelemetry collector accepts exports and never responds for 5 s',
  maxRecoveryMs: 5_000,
  async run(drill) {
    const collector = await startCollector();
    drill.onEnd(() => collector.close());
    await drill.startExchange({
      variables: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
        OTEL_BSP_EXPORT_TIMEOUT: '1000',
        OTEL_BSP_SCHEDULE_DELAY: '500',
      },
    });
    await drill.startLoad();
    drill.faultBegins();
    collector.play(() => {});
    await sleep(5_000);
    collector.play();
    drill.faultEnds();
    const received = collector.spans.length;
    await until('spans arrive again', () => collector.spans.length > received);
    const recoveryMs = performance.now() - drill.times.endedAtMs;
    const outcome = await drill.observe({
      metric: { series: 'exchange_spans_dropped_total{reason="export_failed"}', shows: hasGrown },
      logLine: { msg: 'cannot export spans' },
      isNormal: allWorkersReady,
    });
    return { ...outcome, recoveryMs: Math.max(outcome.recoveryMs, recoveryMs) };
  },
};
