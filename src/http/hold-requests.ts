/** In a long turn of the event loop and in overload, requests wait at their headers; in overload, new connections are refused. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { closeRefused } from './close-refused.ts';
import { ConnectionAdmission } from './connection-admission.ts';
import { ChunkedBody, isChunked } from './chunked-body.ts';
import { prepareParser } from './drop-body.ts';
import { type IncomingMessage, type Parser, parseOn } from './held-request.ts';
import { type GateParts, RequestGate } from './request-gate.ts';

/** Starts a pipelined request, at once or when it is its client's turn. */
export type StartInTurn = (request: IncomingMessage, start: () => void) => void;

export function holdRequests(server: Server, parts: GateParts): StartInTurn {
  const admission = new ConnectionAdmission(server, parts.control);
  closeRefused(server);
  const gate = new RequestGate(parts);
  server.on('connection', (socket: Socket & { parser?: Parser | null }) => {
    admission.countConnection();
    gate.countConnection();
    parts.control.connect();
    const { parser } = socket;
    const pass = parser?.onIncoming;
    if (!parser || !pass) return;
    prepareParser(parser);
    parser.onIncoming = (request, shouldKeepAlive) => {
      parser.headReads = 0;
      parser.isBetweenRequests = false;
      const result = gate.receive(socket, request, shouldKeepAlive, pass);
      return result === parseOn && mayRead(socket) && isChunked(request)
        ? ChunkedBody.start(parser, socket, request)
        : result;
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

/** Whether the body of the request that has just been received is not dropped. */
const mayRead = ({ restoreParser, restoreBody }: Socket): boolean => !restoreParser && !restoreBody;
