/** The signals to end, caught from the first moment on: obeyed at once while there is nothing to drain yet. */

let obey: (signal: NodeJS.Signals) => void = () => process.exit(0);

// As the first process of a container it would not even be ended by a signal that nobody catches.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => obey(signal));

/** From now on `end` decides what a signal to end does. */
export function onSignalToEnd(end: (signal: NodeJS.Signals) => void): void {
  obey = end;
}
