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

interface Kept {
  example?: string;
  text?: string;
  run?: Run;
  /** The run that has not ended; resolves with the error if it fails. */
  pending?: Promise<Error | undefined>;
}

let latestRun = 0;
const kept: Kept = readStoredRequest();

/** Ends also if another page is shown meanwhile. */
async function execute(text: string, apiKey: string): Promise<Error | undefined> {
  try {
    kept.run = { id: ++latestRun, text, result: await postTry(text, apiKey) };
    return undefined;
  } catch (failure) {
    delete kept.run;
    return failure as Error;
  } finally {
    delete kept.pending;
  }
}

export function usePlayground(examples: Example[] | undefined) {
  const [text, setText] = useState(kept.text ?? '');
  const [example, setExample] = useState(kept.example);
  const [apiKey, setApiKey] = useState('');
  const [run, setRun] = useState<Run | undefined>(kept.run);
  const [error, setError] = useState<Error>();
  const [isRunning, setIsRunning] = useState(false);
  const [endedRuns, setEndedRuns] = useState(0);
  const editor = useRef<Editor | undefined>(undefined);

  const show = (failure?: Error) => {
    setRun(kept.run);
    setError(failure);
    mark(editor.current!, kept.run);
  };
  const choose = (chosen: Example) => {
    kept.example = chosen.name;
    setExample(chosen.name);
    delete kept.run;
    show();
    editor.current!.setText(chosen.body);
  };
  const follow = async (pending: Promise<Error | undefined>) => {
    setIsRunning(true);
    const failure = await pending;
    if (!editor.current) return; // another page is shown
    show(failure);
    setIsRunning(false);
    setEndedRuns((before) => before + 1);
  };
  const start = async () => {
    if (kept.pending) return;
    kept.pending = execute(editor.current!.text(), apiKey.trim());
    await follow(kept.pending);
  };
  const change = useCallback((changed: string) => {
    kept.text = changed;
    storeRequest(kept);
    setText(changed);
  }, []);
  useEffect(() => {
    if (kept.pending) void follow(kept.pending);
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
