/** A poll collects the replies of the ready workers and waits for none that has exited or does not reply. */
import { beforeEach, expect, test } from '@jest/globals';
import type { ErrorCount } from '../../src/contract/console-api.ts';
import { WorkerPoll } from '../../src/fleet/worker-poll.ts';
import type { MessageToWorker } from '../../src/fleet/messages.ts';

let sent: MessageToWorker[];
const fleet = (...readyIds: number[]) => ({ readyIds, broadcast: (message: MessageToWorker) => sent.push(message) });
beforeEach(() => {
  sent = [];
});

const errors = (count: number): ErrorCount[] => [{ count } as ErrorCount];
const request: MessageToWorker = { kind: 'console-request', topic: 'errors' };
const never = 60_000;

test('resolves when all have replied; calls at the same time share one poll', async () => {
  const poll = new WorkerPoll<ErrorCount[]>(fleet(1, 2), request, never);
  const [first, second] = [poll.run(), poll.run()];
  expect(sent).toEqual([request]);
  poll.receive(1, errors(1));
  poll.receive(2, errors(2));
  expect([...(await first)]).toEqual([
    [1, errors(1)],
    [2, errors(2)],
  ]);
  expect(await second).toBe(await first);
});

test('a later poll has new replies only', async () => {
  const poll = new WorkerPoll<ErrorCount[]>(fleet(1), request, never);
  const first = poll.run();
  poll.receive(1, errors(1));
  await first;
  const second = poll.run();
  poll.receive(1, errors(2));
  expect(await second).toEqual(new Map([[1, errors(2)]]));
  expect(sent).toHaveLength(2);
});

test('does not wait for a worker that exits', async () => {
  const poll = new WorkerPoll<ErrorCount[]>(fleet(1, 2), request, never);
  const result = poll.run();
  poll.receive(1, errors(1));
  poll.forget(2);
  expect(await result).toEqual(new Map([[1, errors(1)]]));
});

test('has no reply of a worker that exits before the others have replied', async () => {
  const poll = new WorkerPoll<ErrorCount[]>(fleet(1, 2), request, never);
  const result = poll.run();
  poll.receive(1, errors(1));
  poll.forget(1);
  poll.receive(2, errors(2));
  expect(await result).toEqual(new Map([[2, errors(2)]]));
});

test('ends after the timeout with the replies so far', async () => {
  const poll = new WorkerPoll<ErrorCount[]>(fleet(1, 2), request, 20);
  const result = poll.run();
  poll.receive(2, errors(2));
  expect(await result).toEqual(new Map([[2, errors(2)]]));
});

test('without a ready worker nothing is sent', async () => {
  expect(await new WorkerPoll<ErrorCount[]>(fleet(), request, never).run()).toEqual(new Map());
  expect(sent).toEqual([]);
});
