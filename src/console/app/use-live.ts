/** The samples of the last 15 minutes: the history, then one per second from the stream. Both exist only while a page needs them. */
import { useEffect, useState } from 'preact/hooks';
import type { History, LiveSample } from '../api.ts';
import { mergeSamples } from '../logic/sample-window.ts';
import { getJson } from './api-client.ts';

export interface Live {
  targetsMs: History['targetsMs'] | undefined;
  samples: LiveSample[];
  state: 'loading' | 'connected' | 'lost';
}

const retryMs = 2_000;

export function useLive(): Live {
  const [live, setLive] = useState<Live>({ targetsMs: undefined, samples: [], state: 'loading' });
  useEffect(() => connect(setLive), []);
  return live;
}

type Update = (change: (before: Live) => Live) => void;

/** Returns the function that ends the connection. */
function connect(update: Update): () => void {
  let stream: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const abort = new AbortController();
  const lose = () => {
    if (abort.signal.aborted) return;
    stream?.close();
    update((before) => ({ ...before, state: 'lost' }));
    // The history fills the gap. A session that is over gets 401 from it, which brings back the login.
    timer = setTimeout(() => void open(), retryMs);
  };
  const open = async () => {
    try {
      const { targetsMs, samples } = await getJson<History>('api/history', abort.signal);
      update((before) => ({ targetsMs, samples: mergeSamples(before.samples, samples), state: 'connected' }));
    } catch {
      return lose();
    }
    if (abort.signal.aborted) return;
    stream = new EventSource('api/live');
    stream.addEventListener('error', lose);
    stream.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const sample = JSON.parse(data) as LiveSample;
      update((before) => ({ ...before, samples: mergeSamples(before.samples, [sample]), state: 'connected' }));
    });
  };
  void open();
  return () => {
    abort.abort();
    clearTimeout(timer);
    stream?.close();
  };
}
