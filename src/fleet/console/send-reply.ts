/** The worker's replies to the console. */
import type { ConsoleReply, WorkerConsole } from '../../observe/console/worker-console.ts';
import { flushToPrimary } from '../primary-channel.ts';

/** Resolves when the reply is written to the channel. Its parts are encoded one by one, and bid requests are handled in between. */
export async function sendReply(workerConsole: WorkerConsole, topic: ConsoleReply['topic']): Promise<void> {
  for (const reply of workerConsole.replies(topic)) await flushToPrimary({ kind: 'console-response', reply });
}
