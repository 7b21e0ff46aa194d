/** Connections that send their head byte by byte and never finish it. */
import { type Attack, atRate, holdConnections } from '../attack.ts';
import { head } from '../traffic/http-request.ts';
import type { Socket } from 'node:net';

const bytes = head('POST /openrtb2 HTTP/1.1', ['Host: exchange.test', `X-Slow: ${'x'.repeat(2_000)}`]);
const bytesPerSecond = 4;

export const slowHeads: Attack = {
  name: 'slow-heads',
  isOptional: true,
  title: '500 connections that send four bytes of a head per second, from 5 addresses',
  addresses: 5,
  start(context) {
    const open = new Map<Socket, number>();
    holdConnections(context, {
      perAddress: 100,
      perSecond: 160,
      reopenMs: 3_000,
      onOpen(socket) {
        open.set(socket.resume(), 0);
        socket.on('close', () => open.delete(socket));
      },
    });
    atRate(context.signal, bytesPerSecond, () => {
      for (const [socket, position] of open) {
        socket.write(bytes.subarray(position, position + 1));
        open.set(socket, (position + 1) % (bytes.length - 4));
      }
    });
  },
};
