/** A body in the smallest chunks that are allowed: each reported by the parser of node:http, or all taken out of what was read. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { ChunkDecoder, minAverageBytes } from '../../src/http/chunk-decoder.ts';
import { kOnBody, type Parser } from '../../src/http/parser.ts';

const kOnHeadersComplete = 2;
const requests = 1;
const chunks = 64;

interface NewParser extends Parser {
  initialize(type: number, resource: object): void;
}

/** node:http does not export its parser: it is that of a connection. */
async function parserClass(): Promise<new () => NewParser> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket & { parser: NewParser }];
  const found = socket.parser.constructor as new () => NewParser;
  client.destroy();
  server.close();
  return found;
}

export async function chunkedBody() {
  const head = Buffer.from('POST / HTTP/1.1\r\nHost: gavel.test\r\nTransfer-Encoding: chunked\r\n\r\n');
  const chunk = `${minAverageBytes.toString(16)}\r\n${'x'.repeat(minAverageBytes)}\r\n`;
  const body = Buffer.from(`${chunk.repeat(chunks)}0\r\n\r\n`);
  const parser = new (await parserClass())();
  parser[kOnHeadersComplete] = () => 0;
  parser.initialize(requests, {});
  const parse = (report: ((bytes: Buffer) => void) | undefined) => {
    parser[kOnBody] = report;
    parser.execute(head);
    parser.execute(body);
  };
  return {
    name: `a body in ${chunks} chunks of ${minAverageBytes} bytes`,
    packages: () => {
      const data: Buffer[] = [];
      parse((bytes) => void data.push(bytes));
      return Buffer.concat(data);
    },
    ours: () => {
      parse(undefined);
      return new ChunkDecoder().decode(body);
    },
  };
}
