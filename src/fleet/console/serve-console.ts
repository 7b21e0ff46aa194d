/** The worker's replies to the console. */
import type { WorkerConsole } from '../../observe/console/worker-console.ts';
import type { MessageToWorker } from '../messages.ts';
import { flushToPrimary, sendToPrimary } from '../primary-channel.ts';

/** Replies to every request of the primary from now on. Returns its argument. */
export function serveConsole(workerConsole: WorkerConsole): WorkerConsole {
  process.on('message', (message: MessageToWorker) => {
    if (message.kind !== 'console-request' || !process.connected) return;
    sendToPrimary({ kind: 'console-response', reply: workerConsole.reply(message.of) });
  });
  return workerConsole;
}

/** Before the worker exits: the primary keeps what it has counted. */
export const sendErrors = (workerConsole: WorkerConsole): Promise<void> =>
  flushToPrimary({ kind: 'console-response', reply: workerConsole.reply('errors') });
