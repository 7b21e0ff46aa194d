/** Makes the HTTP parser of a connection drop the body without reporting its bytes. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { freeBytes } from '../bytes/free-bytes.ts';
import { lingerAfterResponse, lingeringClose } from './lingering-close.ts';
import { kOnBody, kOnMessageComplete, type Parser, type ReportBody } from './parser.ts';

declare module 'node:net' {
  interface Socket {
    /** Makes the parser report bodies again. If it is set, the connection must be closed. */
    restoreParser?: (() => void) | undefined;
    /** Makes the parser report bodies again; set as long as it does not. */
    restoreBody?: (() => void) | undefined;
  }
}

/** Called for every connection; node:http reuses parsers, and their listeners with them. */
export function prepareParser(parser: Parser): void {
  parser.chunkedBody = undefined;
  parser.read = undefined;
  parser.unparsed = undefined;
  if (parser.reportBody) return;
  const report = parser[kOnBody] as ReportBody;
  const complete = parser[kOnMessageComplete] as (this: Parser) => unknown;
  parser.reportBody = function reportAndFree(bytes: Buffer): unknown {
    const isDropped = this.incoming?._dumped === true;
    const reported = report.call(this, bytes);
    if (isDropped) freeBytes(bytes);
    return reported;
  };
  parser[kOnBody] = parser.reportBody;
  parser[kOnMessageComplete] = function completeBody(this: Parser): unknown {
    this.chunkedBody?.read();
    this.chunkedBody = undefined;
    this.isBetweenRequests = true;
    return complete.call(this);
  };
}

/**
 * node:http parses all that it has read before the event loop turns, and reports each piece of a body, however soon the exchange loses
 * interest. Without a listener they cost much less, and after what was read at once, up to 64 KiB, the parser is paused. The connection
 * is closed afterwards: at once if its response is written, else with the response (`createFinish`).
 */
export function dropBodyAndClose(socket: Socket & { parser?: Parser | null }): void {
  socket.restoreBody?.();
  const { parser } = socket;
  if (!parser?.reportBody || socket.restoreParser) return;
  parser[kOnBody] = undefined;
  parser.pause();
  socket.pause(); // until lingeringClose drops the rest unparsed
  const restore = () => (parser[kOnBody] = parser.reportBody);
  socket.restoreParser = restore;
  socket.once('close', restore);
  lingerAfterResponse(socket);
  // The latest response is that of an earlier request as long as this one is held. None is kept once its request is complete, too.
  if (!socket.heldRequest && (socket.latestResponse?.headersSent ?? true)) lingeringClose(socket);
}

/** Whether the body of this request was dropped with `dropBodyAndClose`: no other request can follow it. */
export function wasBodyDropped(response: ServerResponse): boolean {
  const { restoreParser, latestResponse } = response.req.socket;
  return restoreParser !== undefined && latestResponse === response;
}

/** The body of the current request is not reported, until `restoreBody` is called: when the headers of the next one are there. */
export function ignoreBody(socket: Socket, parser: Parser): void {
  parser[kOnBody] = undefined;
  const restore = () => {
    parser[kOnBody] = parser.reportBody;
    parser.chunkedBody = undefined;
    socket.restoreBody = undefined;
    socket.off('close', restore);
  };
  socket.restoreBody = restore;
  socket.once('close', restore);
}

/** Drops the body of the current request only. */
export function dropBody(socket: Socket & { parser?: Parser | null }): void {
  if (socket.parser?.reportBody) ignoreBody(socket, socket.parser);
}
