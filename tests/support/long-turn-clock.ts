import { EventLoopClock } from '../../src/overload/event-loop-clock.ts';

/** Every turn seems to have begun 11 ms ago, so that every request waits for the next one. */
export class LongTurnClock extends EventLoopClock {
  override turnStartMs(): number {
    return super.turnStartMs() - 11;
  }
}
