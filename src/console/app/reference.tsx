/** Reference: the API description of the exchange. */
import { type Operation, readOpenApi, type ResponseDescription } from '../logic/read-openapi.ts';
import type { Field } from '../logic/list-fields.ts';
import { ApiError } from './api-client.ts';
import { Empty, Failed, Loading } from './states.tsx';
import { useFetch } from './use-fetch.ts';

export function Reference() {
  const { data, error, reload } = useFetch<unknown>('/openapi.json');
  if (error instanceof ApiError && error.status === 404)
    return (
      <Empty>
        This exchange has no API description. Run <code>make docs</code> in its repository, which generates it, and
        restart the exchange.
      </Empty>
    );
  if (error) return <Failed error={error} retry={reload} />;
  if (data === undefined) return <Loading />;
  const { title, version, operations } = readOpenApi(data);
  return (
    <>
      <p>
        {title} {version}. The description for machines is <a href="/openapi.json">/openapi.json</a>.
      </p>
      {operations.length === 0 && <Empty>The description has no operations.</Empty>}
      {operations.map((operation) => (
        <OperationSection key={`${operation.method} ${operation.path}`} operation={operation} />
      ))}
    </>
  );
}

const OperationSection = ({ operation }: { operation: Operation }) => (
  <section class="operation" data-testid="operation">
    <h2>
      <code>
        {operation.method} {operation.path}
      </code>{' '}
      {operation.summary}
    </h2>
    <Paragraphs text={operation.description} />
    <Fields title="Parameters" fields={operation.parameters} />
    <Fields title="Request body" fields={operation.fields} />
    {operation.rules.length > 0 && (
      <details>
        <summary>More rules of the request: {operation.rules.length}</summary>
        <ul>
          {operation.rules.map(({ description, status, code }, index) => (
            <li key={index} data-testid="rule">
              <Prose text={description} />{' '}
              <span class="quiet">
                {status} <code>{code}</code>
              </span>
            </li>
          ))}
        </ul>
      </details>
    )}
    <h3>Responses</h3>
    {operation.responses.map((response) => (
      <ResponseSection key={response.status} response={response} />
    ))}
    <ErrorTable errors={operation.errors} />
  </section>
);

const ResponseSection = ({ response: { status, description, headers, fields } }: { response: ResponseDescription }) => (
  <>
    <h4>{status}</h4>
    <Paragraphs text={description} />
    {headers.length > 0 && <p class="quiet">Headers: {headers.join(', ')}.</p>}
    <Fields title={`Body of ${status}`} fields={fields} />
  </>
);

const Paragraphs = ({ text }: { text: string }) => (
  <>
    {text.split('\n\n').map((paragraph, index) => (
      <p key={index}>
        <Prose text={paragraph} />
      </p>
    ))}
  </>
);

/** Text with code in backquotes. */
const Prose = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
);

function Fields({ title, fields }: { title: string; fields: Field[] }) {
  if (fields.length === 0) return null;
  return (
    <details>
      <summary>
        {title}: {fields.length} fields
      </summary>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Type</th>
              <th scope="col">Bounds</th>
              <th scope="col">Description</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ path, type, isRequired, bounds, description }) => (
              <tr key={path} data-testid="field-row">
                <td>
                  <code>{path}</code> {isRequired && <span class="tag">required</span>}
                </td>
                <td>{type}</td>
                <td>{bounds.join('; ')}</td>
                <td>
                  <Prose text={description} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function ErrorTable({ errors }: Pick<Operation, 'errors'>) {
  if (errors.length === 0) return null;
  return (
    <>
      <h3>Errors</h3>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              {['Status', 'Code', 'Message', 'Field', 'Reason'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {errors.map(({ status, code, message, field, reason }, index) => (
              <tr key={index} data-testid="error-code-row">
                <td>{status}</td>
                <td>
                  <code>{code}</code>
                </td>
                <td>{message}</td>
                <td>{field && <code>{field}</code>}</td>
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
