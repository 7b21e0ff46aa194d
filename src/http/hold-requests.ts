/** In a long turn of the event loop and in overload, requests wait at their headers; in overload, new connections are refused. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ConnectionAdmission } from './connection-admission.ts';
import { countChunks, type OnChunks } from './drop-body.ts';
import type { IncomingMessage, Parser } from './held-request.ts';
import { type GateParts, RequestGate } from './request-gate.ts';

/** Starts a pipelined request, at once or when it is its client's turn. */
export type StartInTurn = (request: IncomingMessage, start: () => void) => void;

export function holdRequests(server: Server, parts: GateParts): StartInTurn {
  const admission = new ConnectionAdmission(server, parts.control);
  const gate = new RequestGate(parts);
  const onChunks: OnChunks = (request, chunks) => parts.chunkUsage.charge(request, chunks);
  server.on('connection', (socket: Socket & { parser?: Parser | null }) => {
    admission.countConnection();
    gate.countConnection();
    parts.control.connect();
    const { parser } = socket;
    const pass = parser?.onIncoming;
    if (!parser || !pass) return;
    countChunks(parser, onChunks);
    parser.onIncoming = (request, shouldKeepAlive) => {
      parser.isBodyNew = true;
      parser.headReads = 0;
      return gate.receive(socket, request, shouldKeepAlive, pass);
    };
  });
  const endTurn = (nowMs: number) => {
    gate.endTurn(nowMs);
    admission.endTurn(nowMs, gate.waiting);
  };
  server.once('close', parts.clock.onTurnEnd(endTurn));
  server.on('clientError', (_error, socket) => gate.startEarlier(socket as Socket)); // before the server's own listener
  server.on('drop', () => {
    gate.countConnection();
    parts.control.refuse();
    parts.observer.connectionRefused('overload');
  });
  return (request, start) => gate.startInTurn(request, start);
}
