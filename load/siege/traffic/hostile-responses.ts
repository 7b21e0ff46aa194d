/** What a hostile partner returns: expensive to parse, to check or to forward, and never worth it. */
import { gzipSync } from 'node:zlib';
import { impId } from './bid-request.ts';

export interface HostileResponse {
  headers?: Record<string, string>;
  /** The body, or its parts for the id of the request as JSON text. */
  content: Buffer | ((id: string) => (string | Buffer)[]);
}

const maxBytes = 1024 * 1024;
const filled = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / unit.length));

const title = { id: 1, title: { text: 'Hostile' } };
const image = { id: 2, img: { url: 'https://hostile.example/1200x627.jpg', w: 1200, h: 627 } };

const native = (members: object): string =>
  JSON.stringify({
    native: { ver: '1.2', assets: [title, image], link: { url: 'https://hostile.example' }, ...members },
  });

const bid = (members: object) => ({ id: 'h', impid: impId, price: 1, crid: 'h', ...members });

const withBids = (bids: readonly object[]): HostileResponse => {
  const rest = Buffer.from(`,"seatbid":[{"bid":${JSON.stringify(bids)}}]}`);
  return { content: (id) => [`{"id":${id}`, rest] };
};

const withMember = (json: string): HostileResponse => {
  const rest = Buffer.from(`,"x":${json},"seatbid":[]}`);
  return { content: (id) => [`{"id":${id}`, rest] };
};

const trackers = (count: number) =>
  Array.from({ length: count }, () => ({ event: 1, method: 1, url: 'https://hostile.example/t' }));

/** The first is for those who offer event trackers. */
export const hostileResponses: readonly HostileResponse[] = [
  withBids([bid({ adm: native({ eventtrackers: trackers(5_000) }) })]),
  withBids([
    bid({ adm: native({ assets: Array.from({ length: 6_900 }, (_, id) => ({ id, data: { value: 'x' } })) }) }),
  ]),
  withBids([bid({ adm: native({ imptrackers: Array<string>(20_000).fill('https://hostile.example') }) })]),
  withBids([bid({ adm: `${'{"native":'.repeat(20_000)}0${'}'.repeat(20_000)}` })]),
  withBids(Array.from({ length: 50 }, () => bid({ adm: native({ privacy: 'x'.repeat(15_000) }) }))),
  withBids(Array.from({ length: 5_000 }, () => bid({ adm: '{}' }))),
  withBids([
    bid({
      adm: native({}),
      nurl: 'n'.repeat(300_000),
      crid: 'c'.repeat(300_000),
      adomain: Array<string>(20_000).fill('a.example'),
    }),
  ]),
  withMember(filled('[', 400_000) + filled(']', 400_000)),
  withMember(`[${filled('{},', 900_000)}0]`),
  { content: Buffer.from(filled('x', maxBytes)) },
  { content: Buffer.alloc(3 * maxBytes, ' ') },
  { content: gzipSync(Buffer.alloc(100 * maxBytes)), headers: { 'content-encoding': 'gzip' } },
];
