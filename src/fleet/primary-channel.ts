/** What the primary tells this worker: nothing is lost while the worker is still getting ready. */
import type { ToPrimary, ToWorker } from './messages.ts';

type Start = Extract<ToWorker, { kind: 'start' }>;

export class PrimaryChannel {
  readonly #waiting: ToWorker[] = [];
  readonly #started = Promise.withResolvers<Start>();
  #handle = (message: ToWorker): void => {
    if (message.kind === 'start') this.#started.resolve(message);
    else this.#waiting.push(message);
  };

  constructor() {
    process.on('message', (message: ToWorker) => this.#handle(message));
    sendToPrimary({ kind: 'hello' });
  }

  /** Resolves when the worker is told what to be. */
  start(): Promise<Start> {
    return this.#started.promise;
  }

  /** From now on messages go to `handle`, those that came meanwhile first. */
  listen(handle: (message: ToWorker) => void): void {
    this.#handle = handle;
    for (const message of this.#waiting.splice(0)) handle(message);
  }
}

/** Throws where the primary is gone. */
export function sendToPrimary(message: ToPrimary): void {
  process.send!(message);
}

/** Resolves when the message has left this process, however large it is, or when the primary is gone. */
export const flushToPrimary = (message: ToPrimary): Promise<void> =>
  new Promise((resolve) => process.send!(message, () => resolve()));
