/** Whether a login is required, and where the bidding endpoint is. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Session } from '../../contract/console-api.ts';
import { getJson, onUnauthorized } from './api-client.ts';

/** Until the exchange has started. */
const sessionRetryMs = 1_000;

export interface LoadedSession {
  session: Session | undefined;
  error: Error | undefined;
  load: () => void;
}

export function useSession(): LoadedSession {
  const [session, setSession] = useState<Session>();
  const [error, setError] = useState<Error>();
  const load = useCallback(() => {
    setError(undefined);
    getJson<Session>('api/session').then(setSession, setError);
  }, []);
  useEffect(() => {
    onUnauthorized(load);
    load();
  }, [load]);
  useEffect(() => {
    if (session?.endpoint !== '') return undefined;
    const timer = setTimeout(load, sessionRetryMs);
    return () => clearTimeout(timer);
  }, [session, load]);
  return { session, error, load };
}
