/** A demand partner below HTTP: it writes to the socket what the test says as soon as a call begins to arrive. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export async function startRawPartner(respond: (socket: Socket) => void): Promise<{ url: string; server: Server }> {
  const server = createServer((socket) => {
    socket.on('error', () => {}); // the exchange closes connections in the middle of a response
    socket.once('data', () => respond(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bid`, server };
}
