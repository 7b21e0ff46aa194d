/** Loads JSON for a component, and again on demand. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { getJson } from './api-client.ts';

export interface Fetched<T> {
  data: T | undefined;
  error: Error | undefined;
  isLoading: boolean;
  reload: () => void;
}

/** While a reload is under way, the data before it stays. */
export function useFetch<T>(path: string): Fetched<T> {
  const [state, setState] = useState<Omit<Fetched<T>, 'reload'>>({
    data: undefined,
    error: undefined,
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  useEffect(() => {
    const abort = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    getJson<T>(path, abort.signal).then(
      (data) => setState({ data, error: undefined, isLoading: false }),
      (error: Error) => {
        if (!abort.signal.aborted) setState((before) => ({ ...before, error, isLoading: false }));
      },
    );
    return () => abort.abort();
  }, [path, round]);
  return { ...state, reload };
}
