/** Bodies up to the size limit that are expensive to parse, inflate or validate. */
import { gzipSync } from 'node:zlib';
import { type Attack, once, sendAtAllowedRate } from '../attack.ts';
import { bidRequest, impression, ordinaryNative } from '../traffic/bid-request.ts';
import { post } from '../traffic/http-request.ts';

const maxBytes = 256 * 1024;
const filled = (unit: string, bytes = 250_000): string => unit.repeat(Math.floor(bytes / unit.length));
const list = (unit: string, bytes?: number): string => `[${filled(`${unit},`, bytes)}${unit}]`;
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const withExt = (json: string): string =>
  JSON.stringify(bidRequest('worst-bodies', { ext: 0 })).replace('"ext":0', `"ext":{"x":${json}}`);
const members = Array.from({ length: 18_000 }, (_, index) => `"k${index}":1`).join(',');
const impressions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...impression(ordinaryNative), id: `slot-${index + 1}` }));

const plain = (): Buffer[] =>
  [
    filled(' ', maxBytes),
    nested(120_000),
    withExt(nested(60)),
    withExt(nested(5_000)),
    withExt(list('1e-300')),
    withExt(list('{}')),
    withExt(list(String.raw`"\u0041\n\ud800"`)),
    withExt(`{${members}}`),
    withExt(`{${filled('"__proto__":1,')}"a":1}`),
    withExt(`"${filled('é')}"`),
    `${withExt(list('{"a":[]}'))}x`,
    JSON.stringify(bidRequest('worst-bodies', { imp: impressions(400) })),
    JSON.stringify(
      bidRequest('worst-bodies', { user: { data: Array.from({ length: 15_000 }, () => ({ segment: [] })) } }),
    ),
    JSON.stringify(
      bidRequest('worst-bodies', { bcat: Array<string>(1_000).fill('IAB1'), badv: ['x'.repeat(200_000)] }),
    ),
  ].map((body) => post(body));

const gzipped = (): Buffer[] =>
  [
    gzipSync(Buffer.alloc(200_000_000, ' '), { level: 1 }).subarray(0, maxBytes),
    gzipSync(withExt(list('0', 240_000))),
    Buffer.concat(Array<Buffer>(4_000).fill(gzipSync(''))),
    gzipSync(gzipSync(Buffer.alloc(1_000_000))),
  ].map((body) => post(body, ['Content-Encoding: gzip']));

const invalidUtf8 = (): Buffer => post(Buffer.concat([Buffer.from(withExt(list('"é"'))), Buffer.from([0xff])]));

const requests = once(() => [...plain(), ...gzipped(), invalidUtf8()]);

export const worstBodies: Attack = {
  name: 'worst-bodies',
  title: 'bodies of 256 KiB: nested, many members, escapes, 400 impressions, gzip bombs',
  addresses: 1,
  isOptional: true, // 250 kB of the smallest values take 6 to 20 ms to parse
  start(context) {
    const prepared = requests();
    sendAtAllowedRate(context, (index) => prepared[index % prepared.length]!);
  },
};
