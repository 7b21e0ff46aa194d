/** A TCP proxy that delays what its server sends. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export class DelayingProxy {
  delayMs = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server;

  constructor(serverPort: number) {
    this.#server = createServer((client) => {
      const server = connect(serverPort, '127.0.0.1');
      client.pipe(server);
      server.on('data', (bytes: Buffer) => this.#pass(bytes, client));
      for (const [socket, other] of [
        [client, server],
        [server, client],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => {}).once('close', () => other.destroy());
      }
    });
  }

  async start(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(bytes: Buffer, client: Socket): void {
    if (this.delayMs === 0) client.write(bytes);
    else setTimeout(() => client.write(bytes), this.delayMs);
  }
}
