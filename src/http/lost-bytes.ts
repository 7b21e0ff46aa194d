/** Closes a connection on which node:http has lost bytes: those behind a request with `Upgrade`, which is served as an ordinary one. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { dropBodyAndClose, type Parser } from './drop-body.ts';
import { kOnExecute } from './head-reads.ts';

/**
 * The parser stops at the end of such a request, and node:http drops the rest of what it has read: the next read begins anywhere, also in
 * a body. The connection closes after the response, so that the client knows what was not served.
 */
export function closeAfterLostBytes(server: Server): void {
  server.on('connection', (socket: Socket & { parser?: Parser | null }) => {
    const { parser } = socket;
    const onExecute = parser?.[kOnExecute];
    if (!parser || typeof onExecute !== 'function') return;
    let parsedBytes = 0;
    parser[kOnExecute] = function countBytes(this: unknown, parsed: unknown): unknown {
      const result: unknown = onExecute.call(this, parsed);
      if (typeof parsed !== 'number') return result; // an error, which ends the connection
      parsedBytes += parsed;
      const isLost = socket.bytesRead > parsedBytes;
      if (isLost && !socket.destroyed && socket.parser === parser && !socket.restoreParser && !socket.isRejected)
        dropBodyAndClose(socket);
      return result;
    };
  });
}
