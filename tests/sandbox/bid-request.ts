/** Bid requests for the sandbox's partners, and what they answer. */
import { ask, type Sandbox } from './start-sandbox.ts';

export interface Bid {
  id: string;
  impid: string;
  price: number;
  adm: string;
  crid: string;
  nurl: string;
}

export interface BidResponse {
  id: string;
  cur: string;
  seatbid: { bid: Bid[] }[];
}

export interface NativeAnswer {
  assets: { id: number; title?: { text: string }; img?: { w: number; h: number }; data?: { value: string } }[];
  link: { url: string };
  eventtrackers?: { event: number; method: number; url: string }[];
}

export const title = { id: 1, required: 1, title: { len: 90 } };

export interface Wish {
  assets?: object[];
  keywords?: string;
  imp?: object;
  native?: object;
}

/** A request for one impression; `imp` and `native` add members to those. */
export function bidRequest(
  id: string,
  { assets = [title], keywords, imp, native }: Wish = {},
): Record<string, unknown> {
  const request = JSON.stringify({ ver: '1.2', assets, ...native });
  return { id, imp: [{ id: '1', native: { request }, ...imp }], site: { keywords } };
}

export const readBids = (text: string): Bid[] => (JSON.parse(text) as BidResponse).seatbid.flatMap(({ bid }) => bid);

export const ids = Array.from({ length: 60 }, (_, index) => `request-${index}`);

/** The bids on the same wish under all the ids. */
export async function askForMany(sandbox: Sandbox, partner: string, wish: Wish): Promise<Bid[]> {
  const answers = await Promise.all(ids.map((id) => ask(sandbox, `/${partner}/bid`, bidRequest(id, wish))));
  return answers.flatMap(({ status, text }) => (status === 200 ? readBids(text) : []));
}
