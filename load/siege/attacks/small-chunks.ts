/** Chunked bodies in chunks of a few bytes, also to a path that reads none: the parser works per chunk. */
import { type Attack, once, sendAtAllowedRate } from '../attack.ts';
import { bidRequest, ordinaryBody } from '../traffic/bid-request.ts';
import { postHead } from '../traffic/http-request.ts';

function chunked(body: string, size: number, extension = '', path = '/openrtb2'): Buffer {
  const parts: string[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.slice(at, at + size);
    parts.push(`${part.length.toString(16)}${extension}\r\n${part}\r\n`);
  }
  return Buffer.concat([postHead(['Transfer-Encoding: chunked'], path), Buffer.from(`${parts.join('')}0\r\n\r\n`)]);
}

const requests = once(() => {
  const large = JSON.stringify(bidRequest('small-chunks', { ext: { filler: 'a'.repeat(255_000) } }));
  const medium = JSON.stringify(bidRequest('small-chunks', { ext: { filler: 'a'.repeat(60_000) } }));
  const mostChunks = JSON.stringify(bidRequest('small-chunks', { ext: { filler: 'a'.repeat(130_000) } }));
  return [
    chunked(large, 1),
    chunked(medium, 3),
    chunked(large, 15),
    chunked(mostChunks, 16),
    chunked(ordinaryBody(4), 1),
    chunked(medium, 200, `;ext=${'e'.repeat(1_000)}`),
    chunked('a'.repeat(1_000_000), 16, ';a=b', '/unknown'),
  ];
});

export const smallChunks: Attack = {
  name: 'small-chunks',
  title: 'chunked bodies of up to 256 KiB in chunks of 1, 3, 15 and 16 bytes, and of 1 MB where none is read',
  addresses: 1,
  start(context) {
    const prepared = requests();
    sendAtAllowedRate(context, (index) => prepared[index % prepared.length]!);
  },
};
