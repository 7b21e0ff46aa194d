/** Bytes on a connection to the real HTTP server: every one gets a response of the exchange or is closed. */
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LongTurnClock } from '../../support/long-turn-clock.ts';
import { unlimitedAdmission } from '../../support/partner-environment.ts';
import { startExchange } from '../../support/run-case.ts';
import type { TestExchange } from '../../support/test-exchange.ts';
import { httpBytes } from '../generate/http-request.ts';
import { KeptConnection, parseResponses, type ReceivedResponse } from '../http-client.ts';
import { checkExchange, checkResponse } from '../http-oracle.ts';
import { expectedStatuses } from '../http-rules.ts';
import { check, type FuzzTarget, linear } from '../target.ts';

/** The first byte of an input is what the client does, and what the exchange does; the rest is what the client sends. */
const clientActions = ['wait', 'end', 'reset'] as const;
type ClientAction = (typeof clientActions)[number];
/** `hold`: requests wait at their headers for the next turn of the event loop. */
const exchangeActions = ['serve', 'hold'] as const;
type ExchangeAction = (typeof exchangeActions)[number];

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
    const clientAction = random.chance(0.8) ? 0 : random.between(1, 2);
    const exchangeAction = random.between(0, 1);
    return Buffer.concat([Buffer.of(clientAction + clientActions.length * exchangeAction), httpBytes(random)]);
  },
  start: async () => {
    const exchanges = { serve: await startListener('serve'), hold: await startListener('hold') };
    return {
      run: async (input) => {
        const first = input[0] ?? 0;
        const action = clientActions[first % clientActions.length]!;
        const exchangeAction = exchangeActions[Math.floor(first / clientActions.length) % exchangeActions.length]!;
        return judge(exchanges[exchangeAction], input.subarray(1), action);
      },
      checkHealth: async () => {
        for (const { exchange, connection } of Object.values(exchanges)) await checkExchange(exchange, connection);
      },
    };
  },
};

/** An exchange, and what the server and the client of its connections see. */
interface Listener {
  exchange: TestExchange;
  port: number;
  /** By the port of the client. */
  serverSockets: ReadonlyMap<number, Socket>;
  connection: KeptConnection;
}

async function startListener(action: ExchangeAction): Promise<Listener> {
  const admission = { ...unlimitedAdmission(), ...(action === 'hold' && { clock: new LongTurnClock() }) };
  const exchange = await startExchange({ maxPerAddress: slots, maxInFlight: slots }, { admission });
  const serverSockets = new Map<number, Socket>();
  exchange.server.on('connection', (socket) => {
    serverSockets.set(socket.remotePort!, socket);
    socket.on('close', () => serverSockets.delete(socket.remotePort!));
  });
  const { port } = exchange.server.address() as AddressInfo;
  return { exchange, port, serverSockets, connection: new KeptConnection(port) };
}

async function judge(listener: Listener, bytes: Buffer, action: ClientAction): Promise<string> {
  const received = await converse(listener, bytes, action);
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
async function converse(listener: Listener, bytes: Buffer, action: ClientAction): Promise<string> {
  const { serverSockets } = listener;
  let received = '';
  let isClosed = false;
  let isLate = false;
  const socket = connect(listener.port, '127.0.0.1').setNoDelay();
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
