/** Bounds the pieces in which the head of a request arrives: each takes node:http about 10 µs, however short it is. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Parser } from './drop-body.ts';

/** HTTPParser.kOnExecute: called for every read. tests/http/head-reads.test.ts fails if a version of Node.js changes it. */
export const kOnExecute = 5;
/** A head of 16 KiB in packets of 64 bytes. */
const maxHeadReads = 256;

/** A client that sends its head in more pieces gets the response to a malformed request. `Parser.headReads` is set to 0 when the headers are complete. */
export function limitHeadReads(server: Server): void {
  server.on('connection', (socket: Socket & { parser?: Parser | null }) => {
    const { parser } = socket;
    const onExecute = parser?.[kOnExecute];
    if (!parser || typeof onExecute !== 'function') return;
    parser.headReads = 0;
    parser[kOnExecute] = function countRead(this: unknown, parsed: unknown): unknown {
      const result: unknown = onExecute.call(this, parsed);
      const isHead = !parser.incoming || parser.incoming.complete;
      if (isHead && ++parser.headReads! === maxHeadReads + 1 && socket.writable)
        server.emit('clientError', tooMany(), socket);
      return result;
    };
  });
}

const tooMany = (): Error =>
  Object.assign(new Error(), { reason: `the headers are in more than ${maxHeadReads} pieces` });
