/** What a page shows instead of data: loading, nothing there, an error, a lost stream. */
import type { ComponentChildren } from 'preact';
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
    <p>The request to the exchange failed: {error.message}</p>
    {retry && (
      <button type="button" onClick={retry}>
        Try again
      </button>
    )}
  </div>
);

export const StreamState = ({ state }: { state: Live['state'] }) => (
  <p class={`stream ${state}`} role="status" data-testid="stream-state">
    {state === 'lost' ? 'Connection lost. Reconnecting…' : state === 'loading' ? 'Loading…' : 'Connected'}
  </p>
);
