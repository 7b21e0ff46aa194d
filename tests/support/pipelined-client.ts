/** Requests as bytes, for tests that pipeline them, and a client that sends them. */
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Outcome } from '../../src/exchange/outcome.ts';
import { fullRequest } from './full-request.ts';
import type { TestExchange } from './test-exchange.ts';

const body = JSON.stringify(fullRequest);
export const post = `POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
export const get = 'GET /nothing HTTP/1.1\r\nHost: gavel.test\r\n\r\n';
export const bid: Outcome = { kind: 'bid', response: { id: 'r1', seatbid: [], cur: 'USD' } };

export const connectTo = ({ server }: TestExchange): Socket =>
  connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
