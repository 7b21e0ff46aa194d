/** Whether the instance takes traffic, and if not, why. */
export const notReadyReasons = ['draining', 'starting', 'no workers', 'redis'] as const;

/** `redis`: it is required and a worker cannot use it. */
export type NotReadyReason = (typeof notReadyReasons)[number];

export interface InstanceState {
  isDraining: boolean;
  /** All workers have listened once. */
  hasStarted: boolean;
  readyWorkers: number;
  lacksRedis: boolean;
}

/** The body of `/healthz` and `/readyz`. */
export interface Health {
  ok: boolean;
  workers: number;
  /** Only in `/readyz`, if it is not ok. */
  reason?: NotReadyReason;
}

/** Undefined if the instance takes traffic. */
export function notReadyReason(state: InstanceState): NotReadyReason | undefined {
  if (state.isDraining) return 'draining';
  if (!state.hasStarted) return 'starting';
  if (state.readyWorkers === 0) return 'no workers';
  return state.lacksRedis ? 'redis' : undefined;
}
