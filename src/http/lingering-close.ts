/** Closes a connection whose client still sends: the client can read its response, and the bytes are dropped unparsed. */
import type { Socket } from 'node:net';

/** A close with unread bytes resets the connection, and the client may lose the response. */
const lingerMs = 1_000;
/** A client that sends more, or in more pieces, is not read any more. */
const maxDroppedBytes = 128 * 1024;
const maxDroppedPieces = 128;

/** For a response that closes the connection: node:http would close it as soon as the response is written. */
export function lingerAfterResponse(socket: Socket): void {
  socket.destroySoon = () => lingeringClose(socket); // keeps nothing but the socket, like all that an idle connection keeps
}

export function lingeringClose(socket: Socket): void {
  let dropped = 0;
  let pieces = 0;
  const drop = ({ length }: Buffer) => {
    dropped += length;
    if (dropped > maxDroppedBytes || ++pieces > maxDroppedPieces) socket.pause();
  };
  socket.on('data', drop); // from here on, node:http passes the bytes to the listeners of the socket
  for (const listener of socket.listeners('data')) if (listener !== drop) socket.off('data', listener as () => void);
  socket.resume();
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
