/** Listens on the addresses of the exchange, with an error that names the address and its variable. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

export interface ListenAddress {
  port: number;
  host: string;
  /** The environment variable of the port. */
  variable: string;
}

/** The address cannot be listened on: the operator must change it, or end the process that uses it. */
export class ListenError extends Error {
  constructor({ host, port, variable }: ListenAddress, cause: NodeJS.ErrnoException) {
    const { code = '', message } = cause;
    const reason = code in reasons ? `${reasons[code]} (${code})` : message;
    super(`cannot listen on ${host} port ${port} (${variable}): ${reason}`, { cause });
    this.name = 'ListenError';
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use by another process',
  EADDRNOTAVAIL: 'the address does not belong to this machine',
  EACCES: 'this user may not use the port',
};

/** Resolves with the port; rejects with ListenError if the server cannot listen. */
export async function listen(server: Server, address: ListenAddress): Promise<number> {
  server.listen(address.port, address.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new ListenError(address, error as NodeJS.ErrnoException);
  }
  server.on('error', () => {}); // from here on an error concerns one connection that was not accepted
  return (server.address() as AddressInfo).port;
}

/** Rejects with ListenError if the address cannot be listened on. The workers would fail one by one, and again after each restart. */
export async function checkAddress(address: ListenAddress): Promise<void> {
  const probe = createServer((socket) => socket.destroy());
  await listen(probe, address);
  const closed = once(probe, 'close');
  probe.close();
  await closed;
}
