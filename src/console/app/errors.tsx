/** Errors: which publisher sends what wrong. */
import type { Errors as ErrorsResponse } from '../../contract/console-api.ts';
import { formatCount, none } from '../logic/format.ts';
import { Name, Time } from './cells.tsx';
import { Empty, Failed, Loading } from './states.tsx';
import { useFetch } from './use-fetch.ts';
import { auctionsHref } from './use-route.ts';

export function Errors() {
  const { data, error, reload } = useFetch<ErrorsResponse>('api/errors');
  return (
    <>
      <p>
        Rejected requests since the start of the exchange, the most frequent first. Test requests are not counted.{' '}
        <button type="button" onClick={reload}>
          Refresh
        </button>
      </p>
      {error && <Failed error={error} retry={reload} />}
      {!data && !error && <Loading />}
      {data && (data.errors.length === 0 ? <Empty>No request was rejected.</Empty> : <ErrorTable {...data} />)}
    </>
  );
}

const ErrorTable = ({ errors }: ErrorsResponse) => (
  <div class="scroll">
    <table class="unwrapped">
      <caption class="hidden">Rejected requests by publisher, code and field</caption>
      <thead>
        <tr>
          <th scope="col">Publisher</th>
          <th scope="col">Code</th>
          <th scope="col">Field</th>
          <th scope="col" class="number">
            Count
          </th>
          <th scope="col">Latest</th>
          <th scope="col">Latest request id</th>
        </tr>
      </thead>
      <tbody>
        {errors.map(({ publisher, code, field, count, latestRequestId, latestMs }) => (
          <tr key={`${publisher} ${code} ${field}`} data-testid="error-row">
            <td>
              <Name text={publisher} />
            </td>
            <td>
              <code>{code}</code>
            </td>
            <td>
              <code>{field ?? none}</code>
            </td>
            <td class="number">{formatCount(count)}</td>
            <td>
              <Time ms={latestMs} />
            </td>
            <td>
              <a href={auctionsHref(latestRequestId)}>
                <code>{latestRequestId}</code>
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
