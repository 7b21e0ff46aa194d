/** The worker's end of the IPC channel; messages that arrive before the worker is ready are queued. */
import cluster from 'node:cluster';
import type { MessageToPrimary, MessageToWorker } from './messages.ts';
import { heartbeatMs } from './worker-liveness.ts';

type MessageOf<Kind extends MessageToWorker['kind']> = Extract<MessageToWorker, { kind: Kind }>;
type Start = MessageOf<'start'>;

/** One handler per kind of message. */
export type MessageHandlers = {
  [Kind in Exclude<MessageToWorker['kind'], 'start'>]: (message: MessageOf<Kind>) => void;
};

export class PrimaryChannel {
  readonly #queued: MessageToWorker[] = [];
  readonly #started = Promise.withResolvers<Start>();
  #handle = (message: MessageToWorker): void => {
    if (message.kind === 'start') this.#started.resolve(message);
    else this.#queued.push(message);
  };

  constructor() {
    process.on('message', (message: MessageToWorker) => this.#handle(message));
    sendToPrimary({ kind: 'hello' });
    setInterval(sendHeartbeat, heartbeatMs).unref();
  }

  /** Resolves with the configuration and the index of this worker. */
  start(): Promise<Start> {
    return this.#started.promise;
  }

  /** Calls back on SIGTERM, and when the primary has exited: node:cluster would then end the worker at once, with its requests in progress. */
  onStop(listener: () => void): void {
    cluster.worker!.exitedAfterDisconnect = true;
    for (const event of ['SIGTERM', 'disconnect']) process.on(event, listener);
  }

  /** Passes queued and all later messages to the handler of their kind. */
  listen(handlers: MessageHandlers): void {
    const handle = (message: MessageToWorker): void => {
      if (message.kind !== 'start') (handlers[message.kind] as (message: MessageToWorker) => void)(message);
    };
    this.#handle = handle;
    for (const message of this.#queued.splice(0)) handle(message);
  }
}

/** Errors are ignored: the worker exits by itself if the primary has exited. */
function sendHeartbeat(): void {
  if (process.connected) process.send!({ kind: 'heartbeat' } satisfies MessageToPrimary, ignore);
}

/** Throws if the primary has exited. */
export function sendToPrimary(message: MessageToPrimary): void {
  if (!process.connected) throw new Error('the primary has exited');
  process.send!(message, ignore); // if it exits just now, node:child_process would throw where nobody can catch it
}

const ignore = () => {};

/** Resolves when the whole message is written to the channel, or when the primary has exited. */
export const flushToPrimary = (message: MessageToPrimary): Promise<void> =>
  new Promise((resolve) => process.send!(message, () => resolve()));
