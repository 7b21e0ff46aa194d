/** Requests with `Upgrade` are served as ordinary ones, but node:http loses what their client has sent behind them. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { dropBodyAndClose, type Parser } from './drop-body.ts';
import { kOnExecute } from './head-reads.ts';

declare module 'node:net' {
  interface Socket {
    /** Bytes of the connection that were parsed. */
    parsedBytes?: number;
    hasUpgradeRequest?: boolean;
  }
}

type ParsedSocket = Socket & { parser?: Parser | null };

export function watchUpgrades(server: Server): void {
  server.on('connection', (socket: ParsedSocket) => {
    const { parser } = socket;
    const onExecute = parser?.[kOnExecute];
    if (!parser || typeof onExecute !== 'function') return;
    socket.parsedBytes = 0;
    parser[kOnExecute] = function countBytes(this: unknown, parsed: unknown): unknown {
      if (typeof parsed === 'number') socket.parsedBytes! += parsed;
      const result: unknown = onExecute.call(this, parsed);
      if (socket.hasUpgradeRequest) closeIfBytesAreLost(socket);
      return result;
    };
  });
}

/** Called for every request. */
export function checkUpgrade({ headers, socket }: IncomingMessage): void {
  if (headers.upgrade === undefined) return;
  socket.hasUpgradeRequest = true;
  setImmediate(closeIfBytesAreLost, socket); // it may have waited since it was read
}

/**
 * The parser stops at the end of such a request, and node:http drops the rest of what it has read: the next read begins anywhere, also in
 * a body. The connection closes after the response, so that the client knows what was not served.
 */
function closeIfBytesAreLost(socket: ParsedSocket): void {
  const { parser, restoreParser, bytesRead, parsedBytes } = socket;
  if (parser && !restoreParser && parsedBytes !== undefined && bytesRead > parsedBytes) dropBodyAndClose(socket);
}
