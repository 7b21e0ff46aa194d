/** One partner: its outcomes, why its bids were dropped, and how long its calls took. */
import { formatCount, formatNumber } from '../logic/format.ts';
import { bucketCounts } from '../logic/percentile.ts';
import type { PartnerSummary } from '../logic/summarize-partners.ts';

export const PartnerDetails = ({
  partner: { name, outcomes, bids, dropped, latency },
}: {
  partner: PartnerSummary;
}) => (
  <div class="details" data-testid="partner-details">
    <Counts title={`Calls to ${name} by outcome`} none="No calls." counts={callsOf(outcomes)} />
    <Counts
      title="Bids"
      none="No bids."
      inOrder
      counts={[
        ['won', bids.won],
        ['lost to a higher bid', bids.lost],
        ['dropped', bids.dropped],
      ]}
    />
    <Counts title="Dropped bids by reason" none="No bid was dropped." counts={Object.entries(dropped)} />
    <Counts
      title="Latency"
      none="No calls."
      inOrder
      counts={bucketCounts(latency).map((count, index) => [bucketName(latency.le, index), count])}
    />
  </div>
);

/** A partner that was skipped was not called. */
const callsOf = (outcomes: PartnerSummary['outcomes']) =>
  Object.entries(outcomes).filter(([outcome]) => outcome !== 'skipped');

function bucketName(bounds: (number | null)[], index: number): string {
  const bound = bounds[index] ?? null;
  return bound === null ? `over ${formatNumber(bounds[index - 1] ?? 0)} ms` : `up to ${formatNumber(bound)} ms`;
}

interface CountsProps {
  title: string;
  none: string;
  counts: [name: string, count: number][];
  inOrder?: boolean;
}

/** Bars with their names and counts. The longest bar is the highest count. */
function Counts({ title, none, counts, inOrder = false }: CountsProps) {
  const shown = counts.filter(([, count]) => count > 0);
  if (!inOrder) shown.sort(([, a], [, b]) => b - a);
  const highest = Math.max(...shown.map(([, count]) => count));
  return (
    <section>
      <h2>{title}</h2>
      {shown.length === 0 && <p>{none}</p>}
      <ul class="counts">
        {shown.map(([name, count]) => (
          <li key={name}>
            <span>{name}</span>
            <span class="track" aria-hidden="true">
              <span class="bar" style={{ width: `${(count / highest) * 100}%` }} />
            </span>
            <span class="number">{formatCount(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
