/** The outcome of a request whose client has left. It is charged and counted; nobody gets a response. */
import type { IncomingMessage } from 'node:http';
import type { FailedOutcome } from '../exchange/outcome.ts';

/** The status is the one that nginx logs. Not a row of the error table: no caller ever sees it. */
export const clientClosed: FailedOutcome = {
  kind: 'invalid',
  error: {
    name: 'http.clientClosed',
    status: 499,
    code: 'CLIENT_CLOSED_REQUEST',
    message: 'Client closed request',
    reason: 'the client closed the connection before its response',
  },
};

/** A client that closes only its side counts as gone: node:http then ends the other side. */
export const hasLeft = ({ socket }: IncomingMessage): boolean => !socket.writable;
