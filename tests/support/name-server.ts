/** A DNS server on a UDP port of this machine, for tests: it responds as scripted, and when the test says so. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { promises as dns } from 'node:dns';

export interface Zone {
  /** IPv4 addresses. There are no IPv6 addresses. */
  a: string[];
  ttl?: number;
  /** 2: server failure, 3: no such name. */
  rcode?: number;
  /** Responds when it resolves. */
  when?: Promise<void>;
}

const header = { length: 12, response: 0x8180, pointerToName: 0xc00c };
const typeA = 1;

export async function startNameServer(zones: Record<string, Zone>) {
  const socket = createSocket('udp4');
  /** The names queried for IPv4 addresses, in order. */
  const queries: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    if (type === typeA) queries.push(name);
    const zone = zones[name] ?? { a: [], rcode: 3 };
    const respond = () => socket.send(encode(query, end, type === typeA ? zone : { ...zone, a: [] }), port, address);
    if (zone.when) void zone.when.then(respond);
    else respond();
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const nameServers = new dns.Resolver({ timeout: 2_000, tries: 1 });
  nameServers.setServers([`127.0.0.1:${socket.address().port}`]);
  return { nameServers, queries, zones, close: () => (nameServers.cancel(), socket.close()) };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = header.length;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function encode(query: Buffer, end: number, { a, ttl = 60, rcode = 0 }: Zone): Buffer {
  const head = Buffer.from(query.subarray(0, header.length));
  head.writeUInt16BE(header.response | rcode, 2);
  head.writeUInt16BE(a.length, 6);
  head.fill(0, 8);
  const records = a.map((address) => {
    const record = Buffer.alloc(16);
    record.writeUInt16BE(header.pointerToName, 0);
    record.writeUInt16BE(typeA, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(ttl, 6);
    record.writeUInt16BE(4, 10);
    record.set(address.split('.').map(Number), 12);
    return record;
  });
  return Buffer.concat([head, query.subarray(header.length, end), ...records]);
}
