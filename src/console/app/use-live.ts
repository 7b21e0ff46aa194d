/** The samples of the last 15 minutes: the history, then one per second from the stream. Both exist only while a page needs them. */
import { useEffect, useState } from 'preact/hooks';
import type { History, LiveSample } from '../../contract/console-api.ts';
import { mergeSamples } from '../logic/sample-window.ts';
import { getJson, refusalOf } from './api-client.ts';
import { whileVisible } from './while-visible.ts';

export interface Live {
  targetsMs: History['targetsMs'] | undefined;
  samples: LiveSample[];
  state: 'loading' | 'connected' | 'lost';
  /** Why the server refused the stream; undefined if the connection failed. */
  refusal: string | undefined;
}

const retryMs = 2_000;
/** The server sends a sample per second. After this long without one the stream is dead, whether or not the browser has noticed. */
const silenceMs = 5_000;
const path = 'api/live';

export function useLive(): Live {
  const [live, setLive] = useState<Live>({ targetsMs: undefined, samples: [], state: 'loading', refusal: undefined });
  // A browser has six connections per host: streams of hidden tabs would leave none for requests.
  useEffect(() => whileVisible(() => connect(setLive)), []);
  return live;
}

type Update = (change: (before: Live) => Live) => void;

/** Returns the function that ends the connection. */
function connect(update: Update): () => void {
  let stream: { close(): void } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const abort = new AbortController();
  const lose = (refusal?: string) => {
    if (abort.signal.aborted) return;
    stream?.close();
    update((before) => ({ ...before, state: 'lost', refusal }));
    // The history fills the gap. A session that is over gets 401 from it, which brings back the login.
    timer = setTimeout(() => void open(), retryMs);
  };
  const add = (sample: LiveSample) =>
    update((before) => ({ ...before, samples: mergeSamples(before.samples, [sample]) }));
  const open = async () => {
    try {
      const { targetsMs, samples } = await getJson<History>('api/history', abort.signal);
      update((before) => ({ ...before, targetsMs, samples: mergeSamples(before.samples, samples) }));
    } catch {
      return lose();
    }
    if (abort.signal.aborted) return;
    stream = openStream({
      onOpen: () => update((before) => ({ ...before, state: 'connected', refusal: undefined })),
      onSample: add,
      onLost: lose,
      // An EventSource does not show the response that refused it.
      onRefused: () => void refusalOf(path, abort.signal).then(lose),
    });
  };
  update((before) => ({ ...before, state: 'loading' }));
  void open();
  return () => {
    abort.abort();
    clearTimeout(timer);
    stream?.close();
  };
}

interface StreamHandlers {
  onOpen: () => void;
  onSample: (sample: LiveSample) => void;
  /** The stream has ended or is silent. */
  onLost: () => void;
  /** It has ended before it was open. */
  onRefused: () => void;
}

/** Calls one of `onLost` and `onRefused`, once. */
function openStream({ onOpen, onSample, onLost, onRefused }: StreamHandlers): { close(): void } {
  const source = new EventSource(path);
  let isOpen = false;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    clearTimeout(watchdog);
    source.close();
  };
  const end = (handle: () => void) => {
    close();
    handle();
  };
  const watch = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => end(onLost), silenceMs);
  };
  watch();
  source.addEventListener('open', () => {
    isOpen = true;
    onOpen();
  });
  source.addEventListener('message', ({ data }: MessageEvent<string>) => {
    watch();
    onSample(JSON.parse(data) as LiveSample);
  });
  source.addEventListener('error', () => end(isOpen ? onLost : onRefused));
  return { close };
}
