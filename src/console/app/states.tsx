/** What a page shows instead of data: loading, nothing there, an error, a lost stream. */
import type { ComponentChildren } from 'preact';
import { asSentence } from '../logic/format.ts';
import { PageError } from './api-client.ts';
import { Time } from './cells.tsx';
import type { Live } from './use-live.ts';

export const Loading = () => (
  <p class="state" role="status">
    Loading…
  </p>
);

export const Empty = ({ children }: { children: ComponentChildren }) => (
  <p class="state" data-testid="empty">
    {children}
  </p>
);

export const Failed = ({ error, retry }: { error: Error; retry?: () => void }) => (
  <div class="state error" role="alert" data-testid="failed">
    <p>{error instanceof PageError ? error.message : `The request to the exchange failed: ${error.message}`}</p>
    {retry && (
      <button type="button" onClick={retry}>
        Try again
      </button>
    )}
  </div>
);

const streamStates: Record<Live['state'], string> = {
  loading: 'Loading…',
  connected: 'Connected',
  lost: 'Connection lost. Reconnecting…',
};

export function StreamState({ live: { state, samples, refusal } }: { live: Live }) {
  const latest = samples.at(-1);
  return (
    <p class={`stream ${state}`} role="status" data-testid="stream-state">
      {state === 'lost' && refusal ? `${asSentence(refusal)} Trying again…` : streamStates[state]}
      {state === 'lost' && latest && (
        <>
          {' '}
          The latest values are from <Time ms={latest.timeMs} />.
        </>
      )}
    </p>
  );
}

/** Dims its children while no stream keeps them current. */
export const Stale = ({ live: { state }, children }: { live: Live; children: ComponentChildren }) => (
  <div class={state === 'connected' ? '' : 'stale'}>{children}</div>
);
