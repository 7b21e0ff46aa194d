/** Logs the outages of partners: when a circuit breaker opens, each new cause while it probes, and when it closes. */
import type { Logger } from './logger.ts';

/** Causes logged per outage: a partner chooses its statuses. */
const maxCauses = 8;

/** Called with every change of a circuit breaker. Probes are not logged: the metric shows the state. */
export function createCircuitLog(logger: Logger): (partner: string, state: string, cause?: string) => void {
  const outages = new Map<string, Set<string | undefined>>();
  return (partner, state, cause) => {
    if (state === 'half_open') return;
    const causes = outages.get(partner) ?? new Set();
    if (state === 'open') {
      if (causes.has(cause) || causes.size >= maxCauses) return;
      outages.set(partner, causes.add(cause));
    } else outages.delete(partner);
    logger.warn({ partner, state, cause }, 'circuit breaker changed');
  };
}
