/** The state of the playground: the request, the run and its result. It is kept while another page is shown, the request also when the page is loaded again. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Example, TryResult } from '../../../contract/console-api.ts';
import { ProblemLocator } from '../../logic/locate-problem.ts';
import { type Problem, readResult } from '../../logic/read-result.ts';
import { postTry } from '../api-client.ts';
import type { Editor } from './create-editor.ts';
import { readStoredRequest, storeRequest } from './stored-request.ts';

/** What was run, and what came of it. */
export interface Run {
  id: number;
  text: string;
  result: TryResult;
}

let latestRun = 0;
const kept: { example?: string; text?: string; run?: Run } = readStoredRequest();

export function usePlayground(examples: Example[] | undefined) {
  const [text, setText] = useState(kept.text ?? '');
  const [example, setExample] = useState(kept.example);
  const [apiKey, setApiKey] = useState('');
  const [run, setRun] = useState<Run | undefined>(kept.run);
  const [error, setError] = useState<Error>();
  const [isRunning, setIsRunning] = useState(false);
  const [endedRuns, setEndedRuns] = useState(0);
  const editor = useRef<Editor | undefined>(undefined);

  const show = (shown: Run | undefined) => {
    if (shown) kept.run = shown;
    else delete kept.run;
    setRun(shown);
    setError(undefined);
    mark(editor.current!, shown);
  };
  const choose = (chosen: Example) => {
    kept.example = chosen.name;
    setExample(chosen.name);
    show(undefined);
    editor.current!.setText(chosen.body);
  };
  const start = async () => {
    if (isRunning) return;
    const sent = editor.current!.text();
    setIsRunning(true);
    try {
      show({ id: ++latestRun, text: sent, result: await postTry(sent, apiKey.trim()) });
    } catch (failure) {
      show(undefined);
      setError(failure as Error);
    } finally {
      setIsRunning(false);
      setEndedRuns((before) => before + 1);
    }
  };
  const change = useCallback((changed: string) => {
    kept.text = changed;
    storeRequest(kept);
    setText(changed);
  }, []);
  useEffect(() => {
    if (examples?.[0] && kept.text === undefined) choose(examples[0]);
  }, [examples]);
  return { text, example, apiKey, setApiKey, run, error, isRunning, endedRuns, editor, choose, start, change };
}

/** Fills a new editor with what was kept. */
export function restore(editor: Editor): void {
  const { text, run } = kept;
  if (text !== undefined) editor.setText(text);
  mark(editor, run);
}

/** Replaces all marks. There are none without a result, or if the text has changed since the run. */
function mark(editor: Editor, run: Run | undefined): void {
  if (run?.text !== editor.text()) return editor.mark([]);
  const { text, result } = run;
  const { problems, warnings } = readResult(result);
  const locator = new ProblemLocator(text);
  const locate = (problem: Problem, severity: 'error' | 'warning') => {
    const range = locator.locate(problem);
    return range ? [{ ...range, severity, message: `${problem.field} ${problem.reason}`.trim() }] : [];
  };
  editor.mark([
    ...problems.flatMap((problem) => locate(problem, 'error')),
    ...warnings.flatMap((warning) => locate(warning, 'warning')),
  ]);
}

export function selectProblem(editor: Editor, problem: Problem): void {
  const range = new ProblemLocator(editor.text()).locate(problem);
  if (range) editor.select(range.from, range.to);
}
