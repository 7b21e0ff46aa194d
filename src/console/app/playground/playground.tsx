/** Playground: write a bid request, run it in test mode, and see what is wrong or who wins. */
import { useMemo } from 'preact/hooks';
import type { Example, Session } from '../../../contract/console-api.ts';
import { Failed, Loading } from '../states.tsx';
import { useFetch } from '../use-fetch.ts';
import { editorHelp } from './create-editor.ts';
import { CurlCommand } from './curl-command.tsx';
import { EditorHost } from './editor-host.tsx';
import { Result } from './result.tsx';
import { useShownAfter } from './use-shown-after.ts';
import { selectProblem, usePlayground } from './use-playground.ts';

export function Playground({ session }: { session: Session }) {
  const examples = useFetch<Example[]>('api/examples');
  const { text, example, apiKey, setApiKey, run, error, isRunning, endedRuns, editor, choose, start, change } =
    usePlayground(examples.data);
  const heading = useShownAfter(endedRuns);
  const result = useMemo(
    () => run && <Result run={run} onSelect={(problem) => selectProblem(editor.current!, problem)} />,
    [run],
  );
  return (
    <div class="playground">
      <section aria-labelledby="request-heading">
        <h2 id="request-heading">Request</h2>
        <div class="toolbar">
          <label for="example">Example</label>
          <ExampleSelect examples={examples.data ?? []} chosen={example} text={text} onChoose={choose} />
          <RunButton isRunning={isRunning} onClick={() => void start()} />
        </div>
        {examples.error && <Failed error={examples.error} retry={examples.reload} />}
        <EditorHost editor={editor} run={start} change={change} />
        <p class="quiet">{editorHelp}</p>
        <ApiKey value={apiKey} onChange={setApiKey} />
        {session.endpoint === '' ? (
          <p role="status" data-testid="starting">
            The exchange is still starting.
          </p>
        ) : (
          <CurlCommand endpoint={session.endpoint} body={text} withKey={apiKey.trim() !== ''} />
        )}
      </section>
      <section
        aria-labelledby="result-heading"
        aria-live="polite"
        aria-busy={isRunning}
        data-testid="result"
        data-ended-runs={endedRuns}
      >
        <h2 id="result-heading" ref={heading}>
          Result
        </h2>
        {error && <Failed error={error} />}
        {isRunning && !run && <Loading />}
        {run && run.text !== text && <p data-testid="outdated">The request has changed since this result.</p>}
        {result}
        {!run && !error && !isRunning && <p class="state">Run the request to see the response of the exchange.</p>}
      </section>
    </div>
  );
}

/** Never kept: neither by the page, when another one is shown, nor by the browser. */
const ApiKey = ({ value, onChange }: { value: string; onChange: (key: string) => void }) => (
  <details class="api-key">
    <summary>API key of the publisher</summary>
    <label for="api-key">API key</label>{' '}
    <input
      id="api-key"
      type="password"
      autoComplete="off"
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
    <p class="quiet">
      Only for publishers whose entry in the publishers file has a key. It is sent as Authorization: Bearer.
    </p>
  </details>
);

const RunButton = ({ isRunning, onClick }: { isRunning: boolean; onClick: () => void }) => (
  <button
    type="button"
    class="primary"
    data-testid="run"
    aria-keyshortcuts="Control+Enter"
    aria-disabled={isRunning} // a button that is disabled loses the focus
    onClick={onClick}
  >
    {isRunning ? 'Running…' : 'Run'}
  </button>
);

interface ExampleSelectProps {
  examples: Example[];
  /** The name of the example that was chosen last. */
  chosen: string | undefined;
  text: string;
  onChoose: (example: Example) => void;
}

const custom = '';

/** An example that has been edited is shown as a request of its own, so that it can be chosen again. */
function ExampleSelect({ examples, chosen, text, onChoose }: ExampleSelectProps) {
  const shown = examples.find(({ name, body }) => name === chosen && body === text)?.name ?? custom;
  return (
    <select
      id="example"
      data-testid="example-select"
      value={shown}
      onChange={({ currentTarget }) => {
        const example = examples.find(({ name }) => name === currentTarget.value);
        if (example) onChoose(example);
      }}
    >
      {shown === custom && (chosen !== undefined || text !== '') && <option value={custom}>Custom</option>}
      {examples.map(({ name, title }) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  );
}
