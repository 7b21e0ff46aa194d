/** Loads JSON for a component, and again on demand. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { getJson } from './api-client.ts';

export interface Fetched<T> {
  data: T | undefined;
  error: Error | undefined;
  reload: () => void;
}

type State<T> = Omit<Fetched<T>, 'reload'> & { path: string };

const initial = { data: undefined, error: undefined };

/** While a reload is under way, the data before it stays. Data of another path is never shown. */
export function useFetch<T>(path: string): Fetched<T> {
  const [state, setState] = useState<State<T>>({ path, ...initial });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  useEffect(() => {
    const abort = new AbortController();
    const update = (change: Partial<State<T>>) =>
      setState((before) => ({ ...(before.path === path ? before : { path, ...initial }), ...change }));
    getJson<T>(path, abort.signal).then(
      (data) => {
        if (!abort.signal.aborted) update({ data, error: undefined });
      },
      (error: Error) => {
        if (!abort.signal.aborted) update({ error });
      },
    );
    return () => abort.abort();
  }, [path, round]);
  const { data, error } = state.path === path ? state : initial;
  return { data, error, reload };
}
