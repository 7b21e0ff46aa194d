/** What changed in the last 15 minutes: workers that were missing, and the mode of the rate limiter. Newest first. */
import type { LiveSample } from '../../contract/console-api.ts';

export interface Change {
  timeMs: number;
  text: string;
}

const maxChanges = 20;

type Mode = LiveSample['limitMode'];

function describeMode(mode: Mode, before: Mode): string {
  if (mode === 'redis') return 'rate limiter: redis, the limits are shared';
  if (mode === 'embedded') return 'rate limiter: embedded, the limits are those of this machine';
  const cause = before === 'embedded' ? 'the primary process does not respond in time' : 'Redis fails or is slow';
  return `rate limiter: degraded, ${cause} and each worker limits by its share`;
}

const describeWorkers = ({ ready, expected }: LiveSample['workers']): string =>
  `${ready} of ${expected} ${expected === 1 ? 'worker is' : 'workers are'} ready`;

export function listChanges(samples: readonly LiveSample[]): Change[] {
  const changes: Change[] = [];
  for (const [index, { timeMs, workers, limitMode }] of samples.entries()) {
    const before = samples[index - 1];
    if (!before) continue;
    if (workers.ready !== before.workers.ready || workers.expected !== before.workers.expected)
      changes.push({ timeMs, text: describeWorkers(workers) });
    if (limitMode !== before.limitMode) changes.push({ timeMs, text: describeMode(limitMode, before.limitMode) });
  }
  return changes.toReversed().slice(0, maxChanges);
}
