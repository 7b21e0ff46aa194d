/** A bid request to the call of one bidder: which creative it shows, and at what price. */
import type { Call, Reply } from '../call.ts';
import { hashText } from '../hash.ts';
import { type Ask, type Impression, readAsk } from './ask.ts';
import { buildAnswer, type Creative } from './creative.ts';

export interface Bidder {
  name: string;
  /** Whether its markup stands under the root key of Native 1.0. */
  wraps: boolean;
  creatives: readonly Creative[];
}

const lowestCents = 50;
const highestCents = 400;
/** What a preferred word is worth at least. */
const preferredCents = 225;

const bidLifeSeconds = 300;

/** Throws BadInput. */
export function openBid(bidder: Bidder, text: string): Call {
  const ask = readAsk(text);
  return {
    key: `${bidder.name} ${ask.id}`,
    answer: () => bidOn(bidder, ask),
    nothing: { status: 204 },
    misfit: () => writeResponse(bidder, `${ask.id}-of-another`, makeBids(bidder, ask)),
  };
}

function bidOn(bidder: Bidder, ask: Ask): Reply {
  const bids = makeBids(bidder, ask);
  return bids.length === 0 ? { status: 204 } : { status: 200, body: writeResponse(bidder, ask.id, bids) };
}

const writeResponse = ({ name }: Bidder, id: string, bid: object[]): string =>
  JSON.stringify({ id, seatbid: [{ seat: `${name}-desk`, bid }], cur: 'USD' });

const makeBids = (bidder: Bidder, ask: Ask): object[] =>
  ask.impressions.flatMap((impression) => makeBid(bidder, ask, impression) ?? []);

function makeBid(bidder: Bidder, ask: Ask, impression: Impression): object | undefined {
  const { name, wraps } = bidder;
  const hash = hashText(`${name} ${ask.id} ${impression.id}`);
  for (const { creative, preferred } of rankCreatives(bidder, ask, hash)) {
    const price = priceOf(hash, preferred);
    if (price < impression.floor) continue;
    const crid = `${name}-${creative.name}`;
    const answer = buildAnswer(creative, impression, `https://${name}.example/${crid}`);
    if (!answer) continue;
    const id = `${name}-${hash.toString(16).padStart(8, '0')}`;
    return {
      id,
      impid: impression.id,
      price,
      adm: JSON.stringify(wraps ? { native: answer } : answer),
      nurl: `https://${name}.example/win?bid=${id}&price=\${AUCTION_PRICE}`,
      burl: `https://${name}.example/bill?bid=${id}&price=\${AUCTION_PRICE}`,
      adomain: [creative.domain],
      crid,
      cid: creative.name,
      cat: creative.cat,
      mtype: 4,
      exp: bidLifeSeconds,
    };
  }
  return undefined;
}

/** Those with a preferred word first, and each part in an order that turns with the hash. */
function rankCreatives(
  { creatives }: Bidder,
  { words }: Ask,
  hash: number,
): { creative: Creative; preferred: boolean }[] {
  const turn = hash % creatives.length;
  const turned = [...creatives.slice(turn), ...creatives.slice(0, turn)].map((creative) => ({
    creative,
    preferred: words.size > 0 && (creative.prefers?.some((word) => words.has(word)) ?? false),
  }));
  return [...turned.filter(({ preferred }) => preferred), ...turned.filter(({ preferred }) => !preferred)];
}

/** In US dollars, with two decimals. */
function priceOf(hash: number, preferred: boolean): number {
  const least = preferred ? preferredCents : lowestCents;
  return (least + (hash % (highestCents - least + 1))) / 100;
}
