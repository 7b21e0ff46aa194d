/** An auction as a waterfall: one bar per partner, the deadlines, and what became of each bid. */
import type { AuctionPartner } from '../../contract/console-api.ts';
import { formatAmount, formatCount, formatMs, formatPrice } from '../logic/format.ts';
import { type Bar, layoutWaterfall, type Waterfall as Layout } from '../logic/layout-waterfall.ts';
import { outcomeMeanings } from '../logic/outcome-meanings.ts';

export interface Winner {
  impid: string;
  partner: string;
  price: number;
  currency: string;
}

interface Props {
  partners: AuctionPartner[];
  winners: Winner[];
  softDeadlineMs: number | null;
  hardDeadlineMs: number | null;
}

export function Waterfall({ partners, winners, softDeadlineMs, hardDeadlineMs }: Props) {
  const layout = layoutWaterfall(partners, softDeadlineMs, hardDeadlineMs);
  return (
    <div data-testid="waterfall" class="waterfall">
      <ul class="marks" aria-label="Deadlines">
        {layout.marks.map(({ label, ms }) => (
          <li key={label} class={label.slice(0, 4)}>
            {label} {formatMs(ms)}
          </li>
        ))}
      </ul>
      <ol>
        {layout.bars.map((bar) => (
          <Row key={bar.partner.name} bar={bar} marks={layout.marks} winners={winners} />
        ))}
      </ol>
    </div>
  );
}

function Row({ bar, marks, winners }: { bar: Bar; marks: Layout['marks']; winners: Winner[] }) {
  const { partner } = bar;
  const won = winners.filter((winner) => winner.partner === partner.name);
  return (
    <li class={`outcome-${won.length > 0 ? 'won' : partner.outcome}`} data-partner={partner.name}>
      <span class="name">{partner.name}</span>
      <span class="track" aria-hidden="true">
        {bar.wasCalled && <span class="bar" style={{ left: `${bar.left}%`, width: `${bar.width}%` }} />}
        {marks.map(({ label, left }) => (
          <span key={label} class={`mark ${label.slice(0, 4)}`} style={{ left: `${left}%` }} title={label} />
        ))}
        {bar.deadlineLeft !== undefined && (
          <span class="mark own" style={{ left: `${bar.deadlineLeft}%` }} title="learned deadline" />
        )}
      </span>
      <span class="end">
        <strong>{partner.outcome}</strong> {bar.wasCalled && formatMs(partner.durationMs)}
        {won.map(({ impid, price, currency }) => (
          <span key={impid} class="price">
            won {formatPrice(price, currency)}
          </span>
        ))}
      </span>
      <BidResults partner={partner} winners={winners} />
    </li>
  );
}

/** Why the partner's bids were dropped or lost; what its outcome means if it has no bid. */
function BidResults({ partner, winners }: { partner: AuctionPartner; winners: Winner[] }) {
  const { outcome, detail, rejected, lost, omittedBids = 0, repaired = [], deadlineMs } = partner;
  // All prices of an auction are in the currency of the response.
  const currency = winners[0]?.currency;
  const highest = (impid: string) => winners.find((winner) => winner.impid === impid);
  const meaning = outcome === 'bid' ? undefined : (detail ?? outcomeMeanings[outcome]);
  return (
    <ul class="bid-results">
      {meaning && <li>{meaning}</li>}
      {rejected.map(({ reason, detail, impid }, index) => (
        <li key={index} class="dropped">
          Bid on impression {impid} dropped: <code>{reason}</code> {detail}
        </li>
      ))}
      {lost.map(({ impid, price }, index) => {
        const winner = highest(impid);
        return (
          <li key={index}>
            Bid on impression {impid} lost at{' '}
            {currency === undefined ? formatAmount(price) : formatPrice(price, currency)}
            {winner && ` to ${winner.partner} at ${formatPrice(winner.price, winner.currency)}`}
          </li>
        );
      })}
      {omittedBids > 0 && (
        <li>
          {omittedBids === 1 ? 'One more bid is not kept.' : `${formatCount(omittedBids)} more bids are not kept.`}
        </li>
      )}
      {repaired.map(({ impid, detail }, index) => (
        <li key={index}>
          Bid on impression {impid} repaired: {detail}
        </li>
      ))}
      {deadlineMs !== undefined && <li class="quiet">Learned deadline {formatMs(deadlineMs)}</li>}
    </ul>
  );
}
