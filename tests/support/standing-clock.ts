import { EventLoopClock, processTimes } from '../../src/overload/event-loop-clock.ts';

/** Time passes only by `advance`: no request expires because the machine is busy. */
export function standingClock() {
  let nowMs = 1_000;
  return {
    clock: new EventLoopClock({ ...processTimes, nowMs: () => nowMs, idleMs: () => 0 }),
    advance: (ms: number): void => void (nowMs += ms),
  };
}
