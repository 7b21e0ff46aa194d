/** An exchange whose requests wait as the test says, and its clients. */
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach } from '@jest/globals';
import type { Control } from '../../src/overload/admission-control.ts';
import { ClientUsage } from '../../src/overload/client-usage.ts';
import { EventLoopClock } from '../../src/overload/event-loop-clock.ts';
import type { AppParts } from '../../src/http/app.ts';
import { standingClock } from './standing-clock.ts';
import { createTestExchange, type ExchangeOptions, type TestExchange } from './test-exchange.ts';
import { until } from './until.ts';

/** A control that the test sets. */
class ManualControl implements Control {
  holdsRequests = true;
  refusesConnections = false;
  acceptsFirst = false;
  hasIdleTime = false;
  free = 0;
  perTurn = Infinity;
  throughput = 1;
  longQueue = Infinity;
  inProgress = 0;
  waiting = 0;
  /** By turn. */
  readonly allWaiting: number[] = [];
  start(): void {
    this.inProgress++;
  }
  readonly ends: { delayMs: number; heldMs: number; waitedMs: number }[] = [];
  end(delayMs: number, heldMs: number, waitedMs: number): void {
    this.inProgress--;
    this.ends.push({ delayMs, heldMs, waitedMs });
  }
  left = 0;
  leave(): void {
    this.left++;
  }
  refused = 0;
  refuse(): void {
    this.refused++;
  }
  connect(): void {}
  endTurn(_nowMs: number, _readIdleMs: () => number, waiting: number): void {
    this.waiting = waiting;
    this.allWaiting.push(waiting);
  }
}

const opened: (TestExchange | Socket)[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) {
    if ('server' in one && 'outcomes' in one) {
      one.server.closeAllConnections();
      one.server.close();
    } else one.destroy();
  }
});

type StartOptions = Pick<ExchangeOptions, 'keepAliveTimeoutMs'> &
  Partial<Pick<AppParts, 'handleBidRequest' | 'isDraining' | 'limiter'>>;

export async function start(clock = new EventLoopClock(), options: StartOptions = {}) {
  const control = new ManualControl();
  const usage = new ClientUsage();
  const { keepAliveTimeoutMs, ...parts } = options;
  const exchange = createTestExchange(
    { ...(keepAliveTimeoutMs && { keepAliveTimeoutMs }) },
    { admission: { control, clock, usage }, ...parts },
  );
  opened.push(exchange);
  exchange.server.listen(0, '127.0.0.1');
  await once(exchange.server, 'listening');
  return { control, usage, exchange, port: (exchange.server.address() as AddressInfo).port };
}

export interface Client {
  socket: Socket;
  received: () => string;
}

export async function open(port: number, localAddress = '127.0.0.1'): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  opened.push(socket);
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => {});
  return { socket, received: () => text };
}

export const message = (id: string, headers: string[] = []): string => {
  const body = JSON.stringify({ id, imp: [], test: 0 });
  return [
    'POST /openrtb2 HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...headers,
    '',
    body,
  ].join('\r\n');
};

export const chunked = (id: string, body: string): string =>
  message(id).replace(/Content-Length: .*\r\n\r\n[^]*/, `Transfer-Encoding: chunked\r\n\r\n${body}`);

export const statuses = ({ received }: Client): string[] =>
  [...received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!);

/** Four requests of the same address wait, and their share of the queue is no more. */
export async function startFull() {
  const started = await start(standingClock().clock);
  started.control.throughput = 0;
  const waiting = await Promise.all([1, 2, 3, 4].map(() => open(started.port)));
  for (const { socket } of waiting) socket.write(message('a'));
  await until('four requests wait', () => started.control.waiting === 4);
  return started;
}
