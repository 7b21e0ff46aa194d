/** Bytes on a connection to the real HTTP server: every one gets a response of the exchange or is closed. */
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startExchange } from '../../support/run-case.ts';
import { httpBytes } from '../generate/http-request.ts';
import { KeptConnection, parseResponses, type ReceivedResponse } from '../http-client.ts';
import { checkExchange, checkResponse } from '../http-oracle.ts';
import { expectedStatuses } from '../http-rules.ts';
import { check, type FuzzTarget, linear } from '../target.ts';

/** The first byte of an input is what the client does; the rest is what it sends. */
const clientActions = ['wait', 'end', 'reset'] as const;
type ClientAction = (typeof clientActions)[number];

/** Few, so that a slot that is not released soon fails an ordinary request. */
const slots = 6;
/** Turns of the event loop in which nothing happens before the client gives up waiting. */
const idleTurns = 12;
const settleTurns = 4;
/** The server must close a connection within this time after its client has closed its side. */
const closeTimeoutMs = 2_000;

export const target: FuzzTarget = {
  weight: 5,
  maxMicros: linear(10_000, 100),
  verdicts: ['200', '4xx', 'closed', 'left'],
  generate: (random) => {
    const action = random.chance(0.8) ? 0 : random.between(1, 2);
    return Buffer.concat([Buffer.of(action), httpBytes(random)]);
  },
  start: async () => {
    const exchange = await startExchange({ maxPerAddress: slots, maxInFlight: slots });
    const { server } = exchange;
    const serverSockets = new Map<number, Socket>();
    server.on('connection', (socket) => {
      serverSockets.set(socket.remotePort!, socket);
      socket.on('close', () => serverSockets.delete(socket.remotePort!));
    });
    const connection = new KeptConnection((server.address() as AddressInfo).port);
    return {
      run: async (input) => {
        const action = clientActions[(input[0] ?? 0) % clientActions.length]!;
        return judge(server, serverSockets, input.subarray(1), action);
      },
      checkHealth: () => checkExchange(exchange, connection),
    };
  },
};

async function judge(
  server: Server,
  serverSockets: ReadonlyMap<number, Socket>,
  bytes: Buffer,
  action: ClientAction,
): Promise<string> {
  const received = await converse(server, serverSockets, bytes, action);
  const sent = bytes.toString('latin1');
  const { responses, rest } = parseResponses(received, sent.includes('HEAD '));
  const final = responses.filter(({ status }) => status !== 100);
  for (const response of final) checkResponse(response);
  if (action !== 'wait') return 'left';
  check(rest === '', `half a response: ${JSON.stringify(rest.slice(0, 80))}`);
  checkExpectation(sent, final);
  return verdictOf(final[0]);
}

function checkExpectation(sent: string, [first]: ReceivedResponse[]): void {
  const expected = expectedStatuses(sent);
  if (expected === undefined) return;
  check(first !== undefined, `a connection without a response, ${expected.join(' or ')} expected`);
  check(expected.includes(first.status), `${first.status}, ${expected.join(' or ')} expected`);
}

function verdictOf(response: ReceivedResponse | undefined): string {
  if (response === undefined) return 'closed';
  if (response.status >= 400 && response.status < 500) return '4xx';
  return response.status === 204 ? '200' : String(response.status);
}

/** Sends the bytes, waits until the server has nothing more to do, closes the client's side and waits for the server's. */
async function converse(
  server: Server,
  serverSockets: ReadonlyMap<number, Socket>,
  bytes: Buffer,
  action: ClientAction,
): Promise<string> {
  let received = '';
  let isClosed = false;
  let isLate = false;
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay();
  const closed = new Promise<void>((resolve) => {
    const end = () => {
      isClosed = true;
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      isLate = true;
      socket.destroy();
      end(); // a reset that fails never emits `close`
    }, closeTimeoutMs);
    socket.on('close', end).on('error', end);
  });
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.write(bytes);
  let port = -1;
  const progress = () => {
    port = socket.localPort ?? port;
    const peer = serverSockets.get(port);
    return `${peer?.bytesRead} ${peer?.bytesWritten} ${received.length} ${isClosed}`;
  };
  await idle(progress, action === 'wait' ? idleTurns : 1);
  if (action === 'reset') socket.resetAndDestroy();
  else if (!isClosed) socket.end();
  await closed;
  await idle(() => `${serverSockets.has(port)}`, settleTurns); // exceptions of the server's side belong to this input
  check(!isLate || action === 'reset', 'the server does not close the connection of a client that has closed its side');
  return received;
}

/** Client and server share the event loop: after enough turns without progress, neither has anything left to do. */
async function idle(progress: () => string, turns: number): Promise<void> {
  let last = '';
  for (let unchanged = 0; unchanged < turns; unchanged++) {
    await nextTurn();
    const now = progress();
    if (now !== last) unchanged = 0;
    last = now;
  }
}
