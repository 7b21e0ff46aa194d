/** Auctions: the latest ones, and why each bid won, lost or was dropped. */
import { useEffect, useState } from 'preact/hooks';
import type { AuctionSample, Auctions as AuctionsResponse } from '../../contract/console-api.ts';
import { formatMs, formatPrice, none } from '../logic/format.ts';
import { withoutWarned } from '../../contract/list-restrictions.ts';
import { describeNoBid } from '../logic/describe-no-bid.ts';
import { Name, Time } from './cells.tsx';
import { Empty, Failed, Loading } from './states.tsx';
import { unlessSelecting } from './unless-selecting.ts';
import { useFetch } from './use-fetch.ts';
import { auctionsHref } from './use-route.ts';
import { Waterfall } from './waterfall.tsx';

export function Auctions({ id }: { id: string }) {
  const { data, error, reload } = useFetch<AuctionsResponse>(
    id ? `api/auctions?id=${encodeURIComponent(id)}` : 'api/auctions',
  );
  return (
    <>
      <p>
        A sample: errors, test traffic, and some of the other auctions. The newest are first. Find one by{' '}
        <code>X-Request-Id</code> or by the <code>id</code> of the bid request.
      </p>
      <Search id={id} reload={reload} />
      {error && <Failed error={error} retry={reload} />}
      {!data && !error && <Loading />}
      {data?.missingWorkers && <MissingWorkers count={data.missingWorkers} />}
      {data?.auctions.length === 0 && (
        <Empty>
          {id
            ? `The sample has no auction with the id ${id}. It holds only some of the latest auctions.`
            : 'No auctions yet. Run a request in the playground, or send one to the bidding endpoint.'}
        </Empty>
      )}
      {data && data.auctions.length > 0 && <AuctionTable auctions={data.auctions} id={id} />}
    </>
  );
}

const MissingWorkers = ({ count }: { count: number }) => (
  <p class="state" role="status" data-testid="missing-workers">
    {count === 1
      ? '1 worker has not replied: its auctions are'
      : `${count} workers have not replied: their auctions are`}{' '}
    missing here.
  </p>
);

function Search({ id, reload }: { id: string; reload: () => void }) {
  const [text, setText] = useState(id);
  useEffect(() => setText(id), [id]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    location.hash = text.trim() ? auctionsHref(text.trim()) : '#/auctions';
    if (text.trim() === id) reload();
  };
  return (
    <form class="toolbar" role="search" onSubmit={submit}>
      <label for="auction-search">Request id</label>
      <input
        id="auction-search"
        type="search"
        data-testid="auction-search"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit">Find</button>
      <button type="button" onClick={reload}>
        Refresh
      </button>
    </form>
  );
}

function AuctionTable({ auctions, id }: { auctions: AuctionSample[]; id: string }) {
  const [open, setOpen] = useState<string>();
  const foundId = id ? auctions[0]?.requestId : undefined;
  useEffect(() => setOpen(foundId), [foundId]);
  return (
    <div class="scroll">
      <table>
        <caption class="hidden">Latest auctions</caption>
        <thead>
          <tr>
            {['Time', 'Request id', 'Publisher', 'Site or app', 'Outcome', 'Price', 'Duration'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        {auctions.map((auction) => (
          <AuctionRow
            key={`${auction.requestId} ${auction.timeMs}`}
            auction={auction}
            isOpen={auction.requestId === open}
            toggle={() => setOpen(auction.requestId === open ? undefined : auction.requestId)}
          />
        ))}
      </table>
    </div>
  );
}

interface RowProps {
  auction: AuctionSample;
  isOpen: boolean;
  toggle: () => void;
}

const AuctionRow = ({ auction, isOpen, toggle }: RowProps) => (
  <tbody>
    <tr data-testid="auction-row" class="clickable" onClick={unlessSelecting(toggle)}>
      <td>
        <Time ms={auction.timeMs} />
      </td>
      <th scope="row">
        <button type="button" class="disclosure" aria-expanded={isOpen}>
          <code>{auction.requestId}</code>
        </button>
      </th>
      <td>
        <Name text={auction.publisher} />
      </td>
      <td>
        <Name text={auction.site} />
      </td>
      <td>
        {auction.outcome} {auction.status}
        {auction.test && (
          <>
            {' '}
            <span class="tag">test</span>
          </>
        )}
      </td>
      <td class="prices">
        {auction.winners.map(({ price, currency }) => formatPrice(price, currency)).join(', ') || none}
      </td>
      <td>{formatMs(auction.durationMs)}</td>
    </tr>
    {isOpen && (
      <tr>
        <td colSpan={7}>
          <AuctionDetails auction={auction} />
        </td>
      </tr>
    )}
  </tbody>
);

const AuctionDetails = ({ auction }: { auction: AuctionSample }) => (
  <div class="auction-details" data-testid="auction-details">
    <dl class="facts">
      <Fact name="Request id" value={auction.requestId} />
      <Fact name="Id in the bid request" value={auction.bidRequestId} />
      <Fact name="Publisher" value={auction.publisher} />
      <Fact name="Site or app" value={auction.site} />
    </dl>
    {auction.error && (
      <p class="error">
        <code>{auction.error.code}</code> {auction.error.field && <strong>{auction.error.field}</strong>}{' '}
        {auction.error.reason}
      </p>
    )}
    {auction.softDeadlineMs === null ? <p>There was no auction.</p> : <EndedAuction auction={auction} />}
  </div>
);

const Fact = ({ name, value }: { name: string; value: string | null }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <code>{value ?? none}</code>
    </dd>
  </div>
);

const EndedAuction = ({ auction }: { auction: AuctionSample }) => (
  <>
    {auction.winners.length === 0 && <p>{describeNoBid(auction.partners, auction.test)}</p>}
    {auction.winners.map(({ impid, partner, price, currency }) => (
      <p key={impid}>
        Impression {impid}: {partner} won at {formatPrice(price, currency)}.
      </p>
    ))}
    {auction.winners.length > 0 && auction.unsold?.map((impid) => <p key={impid}>Impression {impid}: no bid.</p>)}
    <Fields title="Warnings" testid="warning" fields={auction.warnings} />
    <Fields
      title="What restricts demand"
      testid="restriction"
      fields={withoutWarned(auction.restrictions ?? [], auction.warnings ?? [])}
    />
    <Waterfall {...auction} />
  </>
);

interface FieldsProps {
  title: string;
  testid: string;
  fields: { code?: string; field: string; reason: string }[] | undefined;
}

const Fields = ({ title, testid, fields = [] }: FieldsProps) =>
  fields.length === 0 ? null : (
    <>
      <h2>{title}</h2>
      <ul>
        {fields.map(({ code, field, reason }, index) => (
          <li key={index} data-testid={testid}>
            {code && <code>{code} </code>}
            <strong>{field}</strong> {reason}
          </li>
        ))}
      </ul>
    </>
  );
