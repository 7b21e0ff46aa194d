/** The learned deadlines of the workers in the metrics of the primary. */
import { expect, test } from '@jest/globals';
import { FleetMetrics } from '../../src/observe/fleet-metrics.ts';
import { createMetrics } from '../../src/observe/metrics.ts';
import { Recorder } from '../../src/observe/recorder.ts';

async function snapshotOf(partners: { name: string; deadlineMs: number | undefined }[]) {
  const metrics = createMetrics();
  new Recorder(metrics).deadlines(partners);
  return JSON.parse(JSON.stringify(await metrics.register.getMetricsAsJSON())) as Awaited<
    ReturnType<typeof metrics.register.getMetricsAsJSON>
  >;
}

test('the maximum of all workers is reported, and nothing for a local bidder', async () => {
  const fleet = new FleetMetrics(() => 2, 2, 'embedded');
  fleet.setSnapshot(
    1,
    await snapshotOf([
      { name: 'a', deadlineMs: 40 },
      { name: 'b', deadlineMs: 0 },
      { name: 'house', deadlineMs: undefined },
    ]),
  );
  fleet.setSnapshot(2, await snapshotOf([{ name: 'a', deadlineMs: 25 }]));
  const lines = (await fleet.text()).split('\n').filter((line) => line.startsWith('exchange_partner_deadline_seconds'));
  expect(lines).toEqual([
    'exchange_partner_deadline_seconds{partner="a"} 0.04',
    'exchange_partner_deadline_seconds{partner="b"} 0',
  ]);
});
