/** The response of a run: status, problems, warnings, the auction and the ad. */
import { maxReportedErrors } from '../../../contract/api-limits.ts';
import type { TryResult } from '../../../contract/console-api.ts';
import { describeNoBid } from '../../logic/describe-no-bid.ts';
import { formatMs } from '../../logic/format.ts';
import { tryParse } from '../../../json/read-values.ts';
import { listRestrictions, unsoldOf, withoutWarned } from '../../../contract/list-restrictions.ts';
import { listProblems } from '../../logic/list-problems.ts';
import { ProblemLocator } from '../../logic/locate-problem.ts';
import { nativeRequestsOf } from '../../logic/read-native-ad.ts';
import { type Problem, type ReadResult, readResult, type WinningBid } from '../../logic/read-result.ts';
import { Waterfall } from '../waterfall.tsx';
import { AdPreview } from './ad-preview.tsx';
import type { Run } from './use-playground.ts';

interface Props {
  run: Run;
  onSelect: (problem: Problem) => void;
}

/** Costly for a long text: to be rendered once per run, not whenever the text of the editor changes. */
export function Result({ run: { id, text, result }, onSelect }: Props) {
  const read = readResult(result);
  const sold = new Set(read.winners.map(({ impid }) => impid));
  const requests = nativeRequestsOf(text);
  const request = tryParse(text);
  const restrictions = withoutWarned(listRestrictions(request, sold), read.warnings);
  const list = { text, locator: new ProblemLocator(text), onSelect };
  return (
    <>
      <Summary result={result} read={read} />
      {sold.size > 0 && unsoldOf(request, sold).map((impid) => <p key={impid}>Impression {impid}: no bid.</p>)}
      <Problems {...list} kind="problem" title="Problems" problems={read.problems} />
      {read.winners.map((winner) => (
        // A new run is a new ad: an image of the one before may have been loaded by a click.
        <AdPreview key={`${id} ${winner.impid}`} bid={winner} request={requests.get(winner.impid) ?? ''} />
      ))}
      <Problems {...list} kind="warning" title="Warnings" problems={read.warnings} />
      {read.partners.length > 0 && (
        <>
          <Problems
            {...list}
            kind="restriction"
            title="What restricts demand"
            problems={restrictions.map((restriction) => ({ code: '', ...restriction }))}
          />
          <h3>Auction</h3>
          <Waterfall {...read} winners={read.winners.map(toWinner)} />
        </>
      )}
      <Raw headers={result.headers} body={result.body} />
    </>
  );
}

const Summary = ({ result, read }: { result: TryResult; read: ReadResult }) => (
  <p class={`result-status ${result.status < 400 ? 'good' : 'bad'}`}>
    <strong data-testid="result-status">{result.status}</strong> {summaryOf(result.status, read)}
    <span class="quiet"> in {formatMs(result.durationMs)}</span>
    {read.level !== undefined && <span class="quiet"> · integration level {read.level}</span>}
    {read.warnings.length > 0 && (
      <span class="quiet"> · {read.warnings.length === 1 ? 'one warning' : `${read.warnings.length} warnings`}</span>
    )}
  </p>
);

const toWinner = ({ seat, ...bid }: WinningBid) => ({ ...bid, partner: seat });

function summaryOf(status: number, { problems, winners, partners }: ReadResult): string {
  if (status >= 400) return countOf(problems);
  if (winners.length > 0) return winners.length === 1 ? 'one winning bid' : `${winners.length} winning bids`;
  return `${describeNoBid(partners, true)} Without test mode the status is 204.`;
}

/** The exchange does not report more than its limit, so that there may be more. */
function countOf({ length }: Problem[]): string {
  if (length === 1) return 'one problem';
  return length < maxReportedErrors ? `${length} problems` : `at least ${length} problems`;
}

interface ProblemsProps {
  kind: 'problem' | 'warning' | 'restriction';
  title: string;
  text: string;
  locator: ProblemLocator;
  problems: Problem[];
  onSelect: (problem: Problem) => void;
}

function Problems({ kind, title, text, locator, problems, onSelect }: ProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="problems">
        {listProblems(text, problems, locator).map(({ problem, line }, index) => (
          <li key={index}>
            <button
              type="button"
              class={kind}
              data-testid={kind}
              disabled={line === undefined}
              onClick={() => onSelect(problem)}
            >
              {problem.code && <code>{problem.code}</code>} {problem.field && <strong>{problem.field}</strong>}{' '}
              {problem.reason}
              {line !== undefined && <span class="quiet"> line {line}</span>}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

const Raw = ({ headers, body }: { headers: [string, string][]; body: string }) => (
  <details class="raw">
    <summary>Response headers and body</summary>
    <dl class="headers" data-testid="result-headers">
      {headers.map(([name, value], index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    <pre tabIndex={0}>{indent(body)}</pre>
  </details>
);

function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
