/** The worker's replies to the console. */
import type { ConsoleReply, WorkerConsole } from '../../observe/console/worker-console.ts';
import { flushToPrimary } from '../primary-channel.ts';

/** Resolves when the reply is written to the channel. */
export const sendReply = (workerConsole: WorkerConsole, of: ConsoleReply['of']): Promise<void> =>
  flushToPrimary({ kind: 'console-response', reply: workerConsole.reply(of) });
