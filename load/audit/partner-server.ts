/** A demand partner that responds to every call with prepared bytes. It runs in the process of the audit. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface PartnerServer {
  url: string;
  /** Calls so far. */
  calls: number;
  /** The whole HTTP response. */
  response: Buffer;
}

export async function startPartnerServer(response: Buffer): Promise<PartnerServer> {
  const server = createServer((socket) => {
    serve(socket, () => {
      partner.calls++;
      return partner.response;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const partner = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls: 0, response };
  return partner;
}

/** Reads requests one after the other; the exchange sends bodies with Content-Length. */
function serve(socket: Socket, respond: () => Buffer): void {
  let head = '';
  let bodyLeft: number | undefined;
  socket.on('error', () => socket.destroy()); // the exchange cancelled the call
  socket.on('data', (chunk) => {
    let rest = chunk;
    if (bodyLeft === undefined) {
      head += rest.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      rest = Buffer.from(head.slice(end + 4), 'latin1');
      bodyLeft = Number(/^content-length: *(\d+)/im.exec(head.slice(0, end))?.[1] ?? 0);
    }
    bodyLeft -= rest.length;
    if (bodyLeft > 0) return;
    head = '';
    bodyLeft = undefined;
    socket.write(respond());
  });
}
