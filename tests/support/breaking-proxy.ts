/** A TCP proxy that breaks its connections: it sends what is no record of TLS, and resets them. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const garbage = Buffer.alloc(64, 'A');

export class BreakingProxy {
  readonly #clients = new Set<Socket>();
  readonly #server: Server;

  constructor(serverPort: number) {
    this.#server = createServer((client) => {
      const server = connect(serverPort, '127.0.0.1');
      this.#clients.add(client);
      client.on('data', (bytes) => server.write(bytes)).on('error', () => {});
      server.on('data', (bytes) => client.write(bytes)).on('error', () => {});
      client.once('close', () => {
        this.#clients.delete(client);
        server.destroy();
      });
      server.once('close', () => client.destroy());
    });
  }

  get connections(): number {
    return this.#clients.size;
  }

  async start(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resets each connection when its client has sent something after the garbage: the alert of TLS, for instance. */
  async breakAll(): Promise<void> {
    const broken = [...this.#clients].map(async (client) => {
      const closed = once(client, 'close');
      client.once('data', () => client.resetAndDestroy());
      client.write(garbage);
      await closed;
    });
    await Promise.all(broken);
  }

  stop(): void {
    this.#server.close();
    for (const client of this.#clients) client.destroy();
  }
}
