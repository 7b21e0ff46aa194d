/** Gives all sockets of the server the same properties in the same order, whatever their requests are like. */
import { Socket } from 'node:net';

/** What node:http adds with the first response, and sets to `null` after each. */
interface HttpSocket {
  _httpMessage: object | null;
}

/**
 * V8 has a hidden class for each order in which properties were added. With hundreds of them it looks up every property of every socket by
 * name, also in node:http and node:net (decision 35). So what is kept of a connection is added here, before its first request.
 */
export function initSocket(socket: Socket): void {
  void socket.remoteAddress; // node:net keeps the address
  socket.setTimeout(0); // node:net keeps the timeout
  (socket as unknown as HttpSocket)._httpMessage = null;
  // eslint-disable-next-line typescript/unbound-method -- node:http calls it as a method
  socket.destroySoon = Socket.prototype.destroySoon;
  socket.heldRequest = undefined;
  socket.heldSinceMs = undefined;
  socket.isIdleSinceShed = false;
  socket.restoreParser = undefined;
  socket.restoreBody = undefined;
  socket.latestResponse = undefined;
  socket.pipeline = undefined;
  socket.isRejected = false;
  socket.pipelinedSheds = undefined;
}
