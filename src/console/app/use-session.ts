/** Whether a login is required, and where the bidding endpoint is. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Session } from '../../contract/console-api.ts';
import { getJson, onUnauthorized } from './api-client.ts';
import { whileVisible } from './while-visible.ts';

/** Until the exchange has started. */
const startingMs = 1_000;
/** An exchange that has restarted may listen on another port, and has no sessions. */
const refreshMs = 5_000;

export interface LoadedSession {
  session: Session | undefined;
  error: Error | undefined;
  load: () => void;
}

export function useSession(): LoadedSession {
  const [session, setSession] = useState<Session>();
  const [error, setError] = useState<Error>();
  const [refreshes, setRefreshes] = useState(0);
  const load = useCallback(() => {
    setError(undefined);
    getJson<Session>('api/session').then(setSession, setError);
  }, []);
  useEffect(() => {
    onUnauthorized(load);
    load();
  }, [load]);
  useEffect(() => {
    if (!session || session.loginRequired) return undefined;
    const refresh = async () => {
      // The page shows its own errors if the exchange is gone.
      await getJson<Session>('api/session').then(setSession, () => {});
      setRefreshes((before) => before + 1);
    };
    return whileVisible(() => {
      const timer = setTimeout(() => void refresh(), session.endpoint === '' ? startingMs : refreshMs);
      return () => clearTimeout(timer);
    });
  }, [session, refreshes]);
  return { session, error, load };
}
