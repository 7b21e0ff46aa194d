/** Ports for servers that are polled before they listen: outside the range from which the kernel takes those of clients. */
import { once } from 'node:events';
import { createServer } from 'node:net';

const range = { from: 20_000, to: 30_000 };
let next = range.from + (process.pid % (range.to - range.from));

export async function unusedPort(): Promise<number> {
  for (;;) {
    const port = next++;
    if (next === range.to) next = range.from;
    const probe = createServer();
    try {
      await once(probe.listen(port, '127.0.0.1'), 'listening');
      await once(probe.close(), 'close');
      return port;
    } catch {
      // it is in use
    }
  }
}
