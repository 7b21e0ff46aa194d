/** Limits the open connections of one client address: idle ones cost nothing but a file descriptor, of which there are few. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from './client-address.ts';

export interface ConnectionLimit {
  perAddress: number;
  /** Trusted proxies connect for many clients. */
  isProxy: (address: string) => boolean;
  onRefused: () => void;
}

export function limitConnections(server: Server, { perAddress, isProxy, onRefused }: ConnectionLimit): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (isProxy(remoteAddress)) return;
    const key = addressKey(remoteAddress);
    const connections = open.get(key) ?? 0;
    if (connections >= perAddress) {
      socket.destroy();
      onRefused();
      return;
    }
    open.set(key, connections + 1);
    socket.once('close', () => {
      const left = open.get(key)! - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    });
  });
}
