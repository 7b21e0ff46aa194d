/** Finds clients that send requests in overload without waiting for their responses, or without reading them. */
import type { Socket } from 'node:net';

declare module 'node:net' {
  interface Socket {
    /** How many of its requests were shed because the next one was there, in the turn that began at `turnStartMs`. */
    pipelinedSheds?: { turnStartMs: number; count: number } | undefined;
  }
}

/** In one turn, on one connection. */
const maxPipelinedSheds = 64;
/** Maximum bytes of responses that a client has not read. */
const maxUnsentBytes = 64 * 1024;

/** Called for each request that is shed because the next one is there. */
export function isFlooding(socket: Socket, turnStartMs: number): boolean {
  const sheds = socket.pipelinedSheds;
  const count = sheds?.turnStartMs === turnStartMs ? sheds.count + 1 : 1;
  socket.pipelinedSheds = { turnStartMs, count };
  return count > maxPipelinedSheds;
}

export const isUnread = ({ writableLength }: Socket): boolean => writableLength > maxUnsentBytes;
