/** Partners: who is slow, who loses, and why. */
import { useState } from 'preact/hooks';
import { formatCount, formatMs, formatPercent, formatRate, formatUsd } from '../logic/format.ts';
import { type PartnerSummary, summarizePartners } from '../logic/summarize-partners.ts';
import { Time } from './cells.tsx';
import { PartnerDetails } from './partner-details.tsx';
import { Empty, Stale, StreamState } from './states.tsx';
import { unlessSelecting } from './unless-selecting.ts';
import { useLive } from './use-live.ts';

const windows = [
  { seconds: 60, label: 'last minute' },
  { seconds: 300, label: 'last 5 minutes' },
  { seconds: 900, label: 'last 15 minutes' },
];

const columns: [title: string, cell: (partner: PartnerSummary) => string][] = [
  ['Calls/s', ({ callsPerSecond }) => formatRate(callsPerSecond)],
  ['Bid rate', ({ bidRate }) => formatPercent(bidRate)],
  ['Win rate', ({ winRate }) => formatPercent(winRate)],
  ['p50', ({ p50Ms }) => formatMs(p50Ms)],
  ['p95', ({ p95Ms }) => formatMs(p95Ms)],
  ['Timeouts', ({ outcomes }) => formatCount(outcomes.timeout ?? 0)],
  ['Late', ({ outcomes }) => formatCount(outcomes.late ?? 0)],
  ['Errors', ({ outcomes }) => formatCount((outcomes.error ?? 0) + (outcomes.invalid ?? 0))],
  ['Skipped', ({ outcomes }) => formatCount(outcomes.skipped ?? 0)],
  ['Breaker', ({ breaker }) => breaker?.replace('_', ' ') ?? 'removed'],
  ['Learned deadline', ({ deadlineMs }) => formatMs(deadlineMs)],
  ['Revenue per 1,000 requests', ({ revenuePerThousand }) => formatUsd(revenuePerThousand)],
];

export function Partners() {
  const live = useLive();
  const { samples, state } = live;
  const [seconds, setSeconds] = useState(windows[0]!.seconds);
  const { partners, sinceMs } = summarizePartners(samples, seconds);
  return (
    <>
      <StreamState live={live} />
      <p class="toolbar">
        <label for="window">Period</label>
        <select
          id="window"
          value={String(seconds)}
          onChange={({ currentTarget }) => setSeconds(Number(currentTarget.value))}
        >
          {windows.map((window) => (
            <option key={window.seconds} value={String(window.seconds)}>
              {window.label}
            </option>
          ))}
        </select>
        {sinceMs !== undefined && (
          <span class="quiet" data-testid="partners-since">
            This period has partner data only since <Time ms={sinceMs} />.
          </span>
        )}
      </p>
      {partners.length > 0 && (
        <Stale live={live}>
          <PartnerTable partners={partners} />
        </Stale>
      )}
      {partners.length === 0 && state === 'connected' && <Empty>No partner was called in this period.</Empty>}
    </>
  );
}

function PartnerTable({ partners }: { partners: PartnerSummary[] }) {
  const [open, setOpen] = useState<string>();
  return (
    <div class="scroll">
      <table class="sticky-names">
        <caption class="hidden">Partners. Test traffic is not counted.</caption>
        <thead>
          <tr>
            <th scope="col">Partner</th>
            {columns.map(([title]) => (
              <th key={title} scope="col" class="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        {partners.map((partner) => (
          <PartnerRow
            key={partner.name}
            partner={partner}
            isOpen={partner.name === open}
            toggle={() => setOpen(partner.name === open ? undefined : partner.name)}
          />
        ))}
      </table>
    </div>
  );
}

interface RowProps {
  partner: PartnerSummary;
  isOpen: boolean;
  toggle: () => void;
}

const PartnerRow = ({ partner, isOpen, toggle }: RowProps) => (
  <tbody>
    <tr data-testid="partner-row" class="clickable" onClick={unlessSelecting(toggle)}>
      <th scope="row">
        <button type="button" class="disclosure" aria-expanded={isOpen} title={partner.name}>
          {partner.name}
        </button>
      </th>
      {columns.map(([title, cell]) => (
        <td key={title} class={`number ${title === 'Breaker' ? `breaker-${partner.breaker ?? 'removed'}` : ''}`}>
          {cell(partner)}
        </td>
      ))}
    </tr>
    {isOpen && (
      <tr>
        <td colSpan={columns.length + 1}>
          <PartnerDetails partner={partner} />
        </td>
      </tr>
    )}
  </tbody>
);
