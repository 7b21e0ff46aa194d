/** Handles SIGTERM and SIGINT from the first moment; until there is something to drain, they exit at once. */

let handle: (signal: NodeJS.Signals) => void = () => process.exit(0);

// Without a handler, the first process of a container (PID 1) would ignore these signals.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => handle(signal));

/** Replaces the handler of both signals. */
export function onTerminationSignal(handler: (signal: NodeJS.Signals) => void): void {
  handle = handler;
}
