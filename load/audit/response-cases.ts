/** Cases for each part of a partner's response, and for responses that are costly in combination with the request. */
import { gzipSync } from 'node:zlib';
import { type AuditCase, worstTexts } from './audit-case.ts';
import { httpRequest, httpResponse, type Messages, type MessageOptions } from './messages.ts';
import { findParts, type Part, partName } from './parts.ts';
import {
  sampleBidResponse,
  sampleBidResponses,
  sampleProducts,
  sampleRequests,
  severalCallsRequest,
} from './samples.ts';
import { maxGzippedBytes } from '../../src/gzip/gunzip.ts';
import { seeded, seedMark } from './seeded.ts';
import { emptyFullBlocks } from './values/gzip-blocks.ts';
import { pumpedTexts } from './values/pumped-texts.ts';

/** Both a request and a response may have as much; a response may have four times as much, which changes no ratio; `listCases` has such responses. */
const maxResponseBytes = 256 * 1024;
/** Sizes of one value: within the usual bounds on texts, and as large as fits. */
const sizes = [2_000, Infinity];

/** Beside it, each response is audited in test mode, where the exchange reports on it, and the one of several calls. */
const ordinaryRequest = { name: '', text: JSON.stringify(sampleRequests[0]), hasSeveralCalls: false };
const requests = [
  ordinaryRequest,
  { name: ', in test mode', text: JSON.stringify({ ...sampleRequests[0], test: 1 }), hasSeveralCalls: false },
  { name: ', of several calls', text: JSON.stringify(severalCallsRequest), hasSeveralCalls: true },
];
type CallingRequest = (typeof requests)[number];

const partners = [
  { kind: 'bids', name: 'bid response', sample: sampleBidResponse, samples: sampleBidResponses },
  { kind: 'products', name: 'products', sample: sampleProducts, samples: [sampleProducts] },
] as const;

type Audited = (typeof partners)[number];
type Kind = Audited['kind'];

const sizesOf = (kind: Kind, bytes: number, { text, hasSeveralCalls }: CallingRequest) => ({
  request: text.length,
  ...(hasSeveralCalls && { hasSeveralCalls }),
  bids: kind === 'bids' ? bytes : undefined,
  products: kind === 'products' ? bytes : undefined,
});

export function* responseCases(isSelected: (part: string) => boolean): Generator<AuditCase> {
  for (const partner of partners) {
    for (const request of requests) {
      for (const part of findParts(undefined, partner.samples)) {
        const name = `${partner.name}: ${partName(part)}${request.name}`;
        if (isSelected(name)) yield* casesOf(partner, request, part, name);
      }
    }
    const { kind, name } = partner;
    if (isSelected(`${name}: body`)) yield* framedResponses(kind, `${name}: body`);
  }
}

function* casesOf({ kind, sample }: Audited, request: CallingRequest, part: Part, name: string): Generator<AuditCase> {
  const isOrdinary = request === ordinaryRequest;
  const limits = { maxBytes: maxResponseBytes, sizes: isOrdinary ? sizes : [Infinity], isSingle: !isOrdinary };
  for (const text of worstTexts(part, sample, limits)) {
    yield {
      part: name,
      value: text.value,
      sizes: sizesOf(kind, text.bytes, request),
      prepare: () => responder(kind, httpResponse(text.write(seedMark)), request),
    };
  }
}

function responder(kind: Kind, response: Buffer, { text } = ordinaryRequest): (seed: string) => Messages {
  const responseOf = seeded(response);
  const request = httpRequest(text);
  return (seed) => ({ request, [kind]: responseOf(seed) });
}

/** The same responses in other encodings, and bytes that are not JSON. */
function framedResponses(kind: Kind, part: string): AuditCase[] {
  const full = 'a plain text '.repeat(Math.floor(maxResponseBytes / 13));
  const sample = kind === 'bids' ? sampleBidResponse : sampleProducts;
  const json = JSON.stringify({ ...sample, ext: full }).slice(0, maxResponseBytes);
  const framed = (value: string, content: string | Buffer, options: MessageOptions = {}): AuditCase => ({
    part,
    value,
    sizes: sizesOf(kind, maxResponseBytes, ordinaryRequest),
    prepare: () => responder(kind, httpResponse(content, options)),
  });
  const gzip: MessageOptions = { headers: [['Content-Encoding', 'gzip']] };
  return [
    framed('JSON that ends too early', json),
    framed('invalid UTF-8', Buffer.alloc(maxResponseBytes, 0xff)),
    framed('open lists only', '['.repeat(maxResponseBytes)),
    framed('white space', ' '.repeat(maxResponseBytes)),
    ...pumpedTexts.map(({ name, write }) => framed(name, write(maxResponseBytes, seedMark))),
    framed('gzip', gzipSync(json), gzip),
    framed('gzip of zeros', gzipSync(Buffer.alloc(maxResponseBytes)), gzip),
    framed('gzip of more than is allowed', gzipSync(Buffer.alloc(8_000_000)), gzip),
    framed('gzip, empty members', Buffer.concat(Array<Buffer>(13_000).fill(gzipSync(''))), gzip),
    framed('gzip, empty blocks with all codes', emptyFullBlocks(maxGzippedBytes), gzip),
    framed('in chunks of 1 byte', json, { chunkBytes: 1 }),
    framed('in chunks of 16 bytes', json, { chunkBytes: 16 }),
    framed('many headers', json, { headers: Array.from({ length: 1_000 }, (_, index) => [`h${index}`, 'a'] as const) }),
  ];
}
