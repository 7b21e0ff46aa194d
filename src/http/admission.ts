/** What the requests in progress are counted by: shared by the server, the middleware and the reader of bodies. */
import type { Control } from '../overload/admission-control.ts';
import type { ClientUsage } from '../overload/client-usage.ts';
import type { EventLoopClock } from '../overload/event-loop-clock.ts';

export interface Admission {
  control: Control;
  clock: EventLoopClock;
  usage: ClientUsage;
}
