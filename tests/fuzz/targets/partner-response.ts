/** The bytes of a partner's HTTP response, through our client, node:http and undici: what ours accepts, another one accepts too. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { httpResponse } from '../generate/http-response.ts';
import { Random } from '../generate/random.ts';
import { type Received, receiveByNode, receiveByOurs, receiveByUndici } from '../partner-clients.ts';
import { check, type FuzzTarget, linear } from '../target.ts';

/** Where our client differs from both others on purpose. */
const differences: { reason: string; input: RegExp; accepts: boolean }[] = [
  { reason: 'versions other than 1.0 and 1.1 are malformed', input: /^HTTP\/(0\.9|2\.0)/m, accepts: false },
  {
    reason: 'the only transfer coding is `chunked`, given once: no other was offered',
    input: /^transfer-encoding:(?![ \t]*chunked[ \t]*\r\n(?![^]*^transfer-encoding:))/im,
    accepts: false,
  },
  {
    reason:
      'undici rejects 100; node:http rejects a response if more bytes follow, after which we close the connection',
    input: /^HTTP\/1\.1 100/m,
    accepts: true,
  },
];

const isSame = (ours: Received, other: Received): boolean =>
  ours.body === undefined
    ? other.body === undefined || (ours.status !== 0 && ours.status === other.status)
    : ours.body === other.body && ours.status === other.status;

const isDeliberate = (ours: Received, text: string): boolean =>
  differences.some(({ input, accepts }) => accepts === (ours.body !== undefined) && input.test(text));

const describe = ({ status, body }: Received): string =>
  body === undefined ? `${status} without body` : `${status} ${body}`;

/** In up to five pieces, at places that depend on the bytes. */
async function sendInPieces(socket: Socket, bytes: Buffer): Promise<void> {
  const random = new Random(bytes.length + (bytes.at(-1) ?? 0));
  let sent = 0;
  for (let left = random.below(5); left > 0; left--) {
    const end = random.between(sent, bytes.length);
    socket.write(bytes.subarray(sent, end));
    sent = end;
    await nextTurn();
    await nextTurn();
  }
  socket.end(bytes.subarray(sent));
}

export const target: FuzzTarget = {
  weight: 1,
  maxMicros: linear(30_000, 500),
  verdicts: ['complete', 'not read', 'broken', 'excessive'],
  generate: httpResponse,
  start: async () => {
    let bytes = Buffer.alloc(0);
    const server = createServer((socket) => {
      socket.on('error', () => {}); // clients close connections in the middle of a response
      socket.once('data', () => void sendInPieces(socket, bytes));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      run: async (input) => {
        bytes = input as Buffer<ArrayBuffer>;
        const ours = await receiveByOurs(port);
        if (ours.isExcessive) return 'excessive';
        const others = [await receiveByNode(port), await receiveByUndici(port)];
        const text = input.toString('latin1');
        check(
          others.some((other) => isSame(ours, other)) || isDeliberate(ours, text),
          `ours: ${describe(ours)}; node:http and undici: ${others.map(describe).join(', ')}`,
        );
        if (ours.body !== undefined) return 'complete';
        return ours.status === 0 ? 'broken' : 'not read';
      },
    };
  },
};
