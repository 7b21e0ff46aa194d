/** Audits one kind of message in a thread of its own: the counter must start before the code that it counts is loaded. */
import { parentPort, workerData } from 'node:worker_threads';
import { auditWork, type AuditedMessage } from './audit-work.ts';
import { WorkCounter } from './work-counter.ts';

const counter = new WorkCounter();
const { auditedMessage } = await import('./audited-messages.ts');

const { kind, share } = workerData as { kind: Parameters<typeof auditedMessage>[0]; share: number };
const message: AuditedMessage = auditedMessage(kind);
const result = { parts: message.parts.map(({ name }) => name), findings: await auditWork(message, counter, share) };
parentPort!.postMessage(result); // eslint-disable-line unicorn/require-post-message-target-origin -- a port has no origin
