/** The Redis Stream of the auction log: what counts as written, as lost and as not sent. */
import { expect, test } from '@jest/globals';
import { AuctionLogStream, type StreamClient } from '../../src/observe/auction-log-stream.ts';

type Replies = [Error | null, unknown][] | null;

function clientWith(replies: () => Promise<Replies>, status = 'ready') {
  const sent: string[][] = [];
  const calls: string[] = [];
  const client: StreamClient = {
    status,
    pipeline: (commands) => {
      sent.push(...commands);
      return { exec: replies };
    },
    disconnect: (reconnect) => calls.push(`disconnect ${reconnect}`),
  };
  return { stream: new AuctionLogStream(client, 10), sent, calls };
}

const written: [null, string] = [null, '1-0'];
const replyError = (message: string): [Error, undefined] => [
  Object.assign(new Error(message), { name: 'ReplyError' }),
  undefined,
];
const lost: [Error, undefined] = [new Error('Connection is closed.'), undefined];

test('each line is one entry of a capped stream', async () => {
  const { stream, sent } = clientWith(async () => [written, written]);
  expect(await stream.write(['{"a":1}\n', '{"a":2}\n'])).toBe(2);
  const command = ['xadd', 'gavel:auctions', 'MAXLEN', '~', '1000000', '*', 'auction'];
  expect(sent).toEqual([[...command, '{"a":1}'], [...command, '{"a":2}']]); // prettier-ignore
});

test('without a connection nothing is sent', async () => {
  const { stream, sent } = clientWith(async () => [], 'reconnecting');
  expect(await stream.write(['1\n'])).toEqual({ reason: 'not connected to Redis' });
  expect(sent).toEqual([]);
});

test('lines that Redis rejected may be sent again', async () => {
  const oom = replyError('OOM command not allowed');
  expect(await clientWith(async () => [oom, oom]).stream.write(['1\n', '2\n'])).toEqual({
    reason: 'OOM command not allowed',
  });
});

test.each<[string, Replies, number]>([
  ['a connection that broke', [lost, lost], 0],
  ['a connection that broke after the first reply', [written, lost], 1],
  ['a rejection of some lines', [written, replyError('OOM')], 1],
  ['a rejection and a broken connection', [replyError('OOM'), lost], 0],
  ['no replies at all', null, 0],
])('after %s the rest is lost: it may have been written', async (_name, replies, count) => {
  expect(await clientWith(async () => replies).stream.write(['1\n', '2\n'])).toBe(count);
});

test('a Redis that does not reply loses the lines, and its connection', async () => {
  const { stream, calls } = clientWith(() => new Promise(() => {}));
  expect(await stream.write(['1\n'])).toBe(0);
  expect(calls).toEqual(['disconnect true']);
});
