/** A demand partner on a real socket that bids, bids late, never responds, or is down. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { unusedPort } from './unused-port.ts';

const adm = JSON.stringify({
  native: {
    ver: '1.2',
    assets: [
      { id: 1, title: { text: 'Rain jackets that last' } },
      { id: 2, img: { url: 'https://drill.example/1200x627.jpg', w: 1200, h: 627 } },
    ],
    link: { url: 'https://drill.example/offer' },
  },
});

export class DrillPartner {
  readonly name: string;
  readonly port: number;
  /** Infinity: it never responds. */
  delayMs = 0;
  #server: Server | undefined;

  private constructor(name: string, port: number) {
    this.name = name;
    this.port = port;
  }

  static async start(name: string): Promise<DrillPartner> {
    const partner = new DrillPartner(name, await unusedPort());
    await partner.start();
    return partner;
  }

  /** For the partners file. */
  at(host = '127.0.0.1'): object {
    return { name: this.name, adapter: 'openrtb', endpoint: `http://${host}:${this.port}/bid` };
  }

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        if (this.delayMs === Infinity) return;
        const content = JSON.stringify(this.#bid(JSON.parse(body) as { id: string; imp: { id: string }[] }));
        setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(content), this.delayMs);
      });
    });
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Connections are refused from now on. */
  stop(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
    this.#server = undefined;
  }

  #bid({ id, imp }: { id: string; imp: { id: string }[] }): object {
    const bid = { price: 5, crid: 'drill-1', adomain: ['drill.example'], adm };
    return {
      id,
      cur: 'USD',
      seatbid: [{ seat: this.name, bid: imp.map((one) => ({ ...bid, id: `b-${one.id}`, impid: one.id })) }],
    };
  }
}
