/** Live: whether the exchange is inside its targets, and what changed in the last 15 minutes. */
import type { LiveSample } from '../../contract/console-api.ts';
import { formatCount, formatMs, none } from '../logic/format.ts';
import { listChanges } from '../logic/list-changes.ts';
import { namesIn, sumOf } from '../logic/sample-window.ts';
import { Time } from './cells.tsx';
import { Plot } from './plot.tsx';
import { Empty, Stale, StreamState } from './states.tsx';
import { type Live as LiveData, useLive } from './use-live.ts';

export function Live() {
  const live = useLive();
  const { samples, targetsMs, state } = live;
  const latest = samples.at(-1);
  return (
    <>
      <StreamState live={live} />
      {latest && targetsMs ? (
        <Stale live={live}>
          <Metrics latest={latest} targets={targetsMs} />
          <Changes samples={samples} />
          <Plots samples={samples} targets={targetsMs} />
        </Stale>
      ) : (
        state === 'connected' && <Empty>No sample yet. The first arrives within a second.</Empty>
      )}
    </>
  );
}

type Targets = NonNullable<LiveData['targetsMs']>;

const percentiles = ['p50', 'p95', 'p99'] as const;

const Metrics = ({ latest, targets }: { latest: LiveSample; targets: Targets }) => (
  <dl class="metrics">
    <Metric name="Requests per second" testid="metric-rps" value={formatCount(sumOf(latest.outcomes))} />
    {percentiles.map((name) => {
      const value = latest.latencyMs?.[name] ?? null;
      const isOver = value !== null && value > targets[name];
      const note = `${isOver ? 'above the' : 'within the'} target of ${formatMs(targets[name])}`;
      return (
        <Metric
          key={name}
          name={name}
          testid={`metric-${name}`}
          value={formatMs(value)}
          note={value === null ? `target ${formatMs(targets[name])}` : note}
          isBad={isOver}
        />
      );
    })}
    <Metric
      name="Rate-limited requests per second"
      testid="metric-limited"
      value={formatCount(sumOf(latest.rateLimited))}
    />
    <Metric
      name="Shed per second"
      testid="metric-shed"
      value={formatCount(sumOf(latest.shed))}
      isBad={sumOf(latest.shed) > 0}
    />
    {latest.testRequests !== undefined && (
      <Metric name="Test requests per second" testid="metric-test" value={formatCount(latest.testRequests)} />
    )}
    <Metric name="Queue delay, p99" testid="metric-queue" value={formatMs(latest.queueDelayMs)} />
    <Metric
      name="Workers"
      testid="metric-workers"
      value={`${latest.workers.ready} of ${latest.workers.expected}`}
      isBad={latest.workers.ready < latest.workers.expected}
    />
    <Metric name="Event-loop lag" testid="metric-lag" value={formatMs(latest.eventLoopLagMs)} />
    <Metric
      name="Rate limiter"
      testid="metric-limiter"
      value={latest.limitMode}
      isBad={latest.limitMode === 'degraded'}
    />
  </dl>
);

function Changes({ samples }: { samples: LiveSample[] }) {
  const changes = listChanges(samples);
  if (changes.length === 0) return null;
  return (
    <section aria-labelledby="changes-heading">
      <h2 id="changes-heading">Changes in the last 15 minutes</h2>
      <ul>
        {changes.map(({ timeMs, text }) => (
          <li key={`${timeMs} ${text}`} data-testid="change">
            <Time ms={timeMs} /> {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface MetricProps {
  name: string;
  testid: string;
  value: string;
  note?: string;
  isBad?: boolean;
}

const Metric = ({ name, testid, value, note, isBad = false }: MetricProps) => (
  <div class={isBad ? 'bad' : ''}>
    <dt>{name}</dt>
    <dd>
      <span data-testid={testid}>{value || none}</span>
      {note && <small>{note}</small>}
    </dd>
  </div>
);

function Plots({ samples, targets }: { samples: LiveSample[]; targets: Targets }) {
  const times = samples.map(({ timeMs }) => timeMs);
  const counts = (select: (sample: LiveSample) => Record<string, number>) =>
    namesIn(samples.map(select)).map((label) => ({
      label,
      values: samples.map((sample) => select(sample)[label] ?? 0),
    }));
  const latency = percentiles.flatMap((name) => [
    { label: name, values: samples.map(({ latencyMs }) => latencyMs?.[name] ?? null) },
    { label: `${name} target`, values: samples.map(() => targets[name]), isTarget: true },
  ]);
  const delay = { label: 'queue delay', values: samples.map(({ queueDelayMs }) => queueDelayMs) };
  const lag = { label: 'event-loop lag', values: samples.map(({ eventLoopLagMs }) => eventLoopLagMs) };
  const perSecond = (title: string, testid: string, select: (sample: LiveSample) => Record<string, number>) => (
    <Plot title={title} unit="requests/s" testid={testid} times={times} series={counts(select)} />
  );
  return (
    <div class="plots">
      {perSecond('Requests per second', 'plot-requests', (one) => one.outcomes)}
      <Plot title="Latency and targets" unit="ms" testid="plot-latency" times={times} series={latency} />
      {perSecond('Rate-limited requests per second', 'plot-limited', (one) => one.rateLimited)}
      {perSecond('Shed requests per second', 'plot-shed', (one) => one.shed)}
      <Plot title="Queue delay and event-loop lag" unit="ms" testid="plot-delay" times={times} series={[delay, lag]} />
    </div>
  );
}
