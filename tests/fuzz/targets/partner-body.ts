/** The body of a partner's HTTP response, plain or gzip, through the HTTP client for partners. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createCallPartner } from '../../../src/demand/call-partner.ts';
import { Cancellation } from '../../../src/demand/cancellation.ts';
import { mutateBytes } from '../generate/mutate-bytes.ts';
import { check, type FuzzTarget, linear, unmutated } from '../target.ts';
import { partnerBodies } from './bid-response.ts';
import { gzipStream } from './gzip.ts';
import { turnsAtOnce } from '../../support/partner-environment.ts';

const mebibyte = 1024 * 1024;
const maxBytes = mebibyte + 1;
const corpus = [
  ...partnerBodies,
  Buffer.from('['.repeat(40) + ']'.repeat(40)),
  gzipSync(Buffer.alloc(mebibyte + 1, ' ')),
];
const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

export const target: FuzzTarget = {
  weight: 2,
  maxMicros: linear(12_000, 100),
  verdicts: ['bid', 'invalid'],
  generate: (random) => {
    const bytes = random.pick(corpus);
    if (random.chance(unmutated)) return gzipSync(mutateBytes(random, bytes, corpus, maxBytes)).subarray(0, maxBytes);
    return random.chance(0.3) ? gzipStream(random) : mutateBytes(random, bytes, corpus, maxBytes);
  },
  start: async () => {
    let body = Buffer.alloc(0);
    const server = createServer((_request, response) => {
      response.writeHead(200, isGzip(body) ? { 'content-encoding': 'gzip' } : {}).end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const callPartner = createCallPartner(turnsAtOnce);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bid`;
    return {
      run: async (input) => {
        body = input as Buffer<ArrayBuffer>;
        const call = { method: 'POST', url, headers: {}, body: '{}', impressions: [] } as const;
        const { result, bytes = 0 } = await callPartner(call, new Cancellation(), false);
        check(bytes <= mebibyte, `a body of ${bytes} bytes is parsed`);
        return result;
      },
    };
  },
};
