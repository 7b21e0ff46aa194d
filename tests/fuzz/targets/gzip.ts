/** Bodies with Content-Encoding gzip: inflated within the limit, decoded and parsed by the app on a real socket. */
import type { AddressInfo } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { fullRequest } from '../../support/full-request.ts';
import { startExchange } from '../../support/run-case.ts';
import { mutateBytes } from '../generate/mutate-bytes.ts';
import type { Random } from '../generate/random.ts';
import { KeptConnection } from '../http-client.ts';
import { checkExchange, checkResponse } from '../http-oracle.ts';
import { check, type FuzzTarget, linear, unmutated } from '../target.ts';

const json = Buffer.from(JSON.stringify(fullRequest));
const maxBytes = 256 * 1024;
const mebibyte = 1024 * 1024;

/** Members, extra fields and levels of compression; bombs that inflate to a hundred and a thousand times their size. */
export const gzipStreams = [
  gzipSync(json),
  gzipSync(json, { level: 0 }),
  Buffer.concat([gzipSync(json.subarray(0, 100)), gzipSync(json.subarray(100))]),
  gzipSync(Buffer.alloc(0)),
  deflateSync(json),
  gzipSync(Buffer.concat([json, Buffer.alloc(maxBytes - json.length, ' ')])),
  gzipSync(Buffer.alloc(maxBytes + 1, ' ')),
  gzipSync(Buffer.alloc(16 * mebibyte)),
  withExtraField(gzipSync(json)),
];

export const target: FuzzTarget = {
  weight: 3,
  maxMicros: linear(12_000, 100),
  verdicts: ['200', '400', '413'],
  generate: gzipStream,
  start: async () => {
    const exchange = await startExchange();
    const connection = new KeptConnection((exchange.server.address() as AddressInfo).port);
    return {
      run: async (input) => {
        const response = await connection.send(head, input);
        checkResponse(response);
        check([200, 204, 400, 413].includes(response.status), `a gzip body gets ${response.status}`);
        return response.status === 204 ? '200' : String(response.status);
      },
      checkHealth: () => checkExchange(exchange, connection),
    };
  },
};

const head = 'POST /openrtb2 HTTP/1.1\r\nHost: gavel.test\r\nContent-Type: application/json\r\nContent-Encoding: gzip';

export function gzipStream(random: Random): Buffer {
  const bytes = random.pick(gzipStreams);
  if (random.chance(unmutated))
    return random.chance(0.5) ? bytes : gzipSync(mutateBytes(random, json, [json], maxBytes));
  return mutateBytes(random, bytes, gzipStreams, maxBytes);
}

/** Sets the flag FEXTRA and inserts a field of the largest length. */
function withExtraField(stream: Buffer): Buffer {
  const headerLength = 10;
  const flagsAt = 3;
  const marked = Buffer.from(stream);
  marked[flagsAt] = 4;
  const length = Buffer.from([0xff, 0xff]);
  return Buffer.concat([marked.subarray(0, headerLength), length, Buffer.alloc(0xffff), marked.subarray(headerLength)]);
}
