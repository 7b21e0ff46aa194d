/** The handle of a socket in libuv, for those who must stop reading at once: node:http resumes a socket that is paused whenever it has written a response. */
import type { Socket } from 'node:net';

interface ReadableHandle {
  /** What node:net was told last: false if the socket is paused. */
  reading: boolean;
  readStart(): void;
  readStop(): void;
}

/** Undefined once the socket is closed. */
export const handleOf = (socket: Socket): ReadableHandle | undefined =>
  (socket as Socket & { _handle?: ReadableHandle | null })._handle ?? undefined;
