/** Handles signals from the first moment, before there is anything to drain, to reload or to reopen. */

type Handler = (signal: NodeJS.Signals) => void;

export interface SignalHandlers {
  /** SIGTERM and SIGINT. */
  terminate: Handler;
  /** SIGHUP. */
  reload: Handler;
  /** SIGUSR1. */
  reopenAuctionLog: Handler;
}

let isReloadDue = false;
let handlers: SignalHandlers = {
  terminate: () => process.exit(0),
  reload: () => (isReloadDue = true),
  reopenAuctionLog: () => {}, // no worker has opened it yet
};

// Without a handler, the first process of a container (PID 1) would ignore these signals.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => handlers.terminate(signal));
process.on('SIGHUP', (signal) => handlers.reload(signal)); // it would end the process
process.on('SIGUSR1', (signal) => handlers.reopenAuctionLog(signal)); // it would start the inspector of Node.js
process.on('SIGUSR2', () => {}); // it would end the process, unless it writes a heap snapshot

/** Replaces the handlers. A reload that was requested before takes place. */
export function onSignals(replacements: SignalHandlers): void {
  handlers = replacements;
  if (isReloadDue) handlers.reload('SIGHUP');
}
