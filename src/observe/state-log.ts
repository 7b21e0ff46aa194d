/** Logs the changes of a state that may change often: at most one line per interval, and the last state always. */

export interface StateLogParts {
  /** `suppressed` is the number of changes since the last line that have none. */
  write: (state: boolean, suppressed: number) => void;
  everyMs: number;
  nowMs: () => number;
  schedule: (callback: () => void, delayMs: number) => void;
}

/** The returned function is called with every change. The first state is false. */
export function createStateLog({ write, everyMs, nowMs, schedule }: StateLogParts): (state: boolean) => void {
  let state = false;
  let logged = false;
  let loggedAtMs = -Infinity;
  let changes = 0;
  let isScheduled = false;

  const log = () => {
    isScheduled = false;
    if (state === logged) return; // it has changed there and back
    write(state, changes - 1);
    logged = state;
    loggedAtMs = nowMs();
    changes = 0;
  };

  return (newState) => {
    state = newState;
    changes++;
    if (isScheduled) return;
    const leftMs = loggedAtMs + everyMs - nowMs();
    if (leftMs <= 0) return log();
    isScheduled = true;
    schedule(log, leftMs);
  };
}
