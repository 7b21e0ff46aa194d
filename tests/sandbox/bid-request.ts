/** Bid requests to the sandbox bidders, and the types of their responses. */
import { type Sandbox, send } from './start-sandbox.ts';

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

export interface NativeResponse {
  assets: { id: number; title?: { text: string }; img?: { w: number; h: number }; data?: { value: string } }[];
  link: { url: string };
  eventtrackers?: { event: number; method: number; url: string }[];
}

export const title = { id: 1, required: 1, title: { len: 90 } };

export interface RequestOptions {
  assets?: object[];
  keywords?: string;
  imp?: object;
  native?: object;
}

/** A request with one impression; `imp` and `native` add fields to the impression and the native request. */
export function bidRequest(
  id: string,
  { assets = [title], keywords, imp, native }: RequestOptions = {},
): Record<string, unknown> {
  const request = JSON.stringify({ ver: '1.2', assets, ...native });
  return { id, imp: [{ id: '1', native: { request }, ...imp }], site: { keywords } };
}

export const readBids = (text: string): Bid[] => (JSON.parse(text) as BidResponse).seatbid.flatMap(({ bid }) => bid);

export const ids = Array.from({ length: 60 }, (_, index) => `request-${index}`);

/** Sends the same request with every id of `ids`; returns all bids. */
export async function collectBids(sandbox: Sandbox, partner: string, options: RequestOptions): Promise<Bid[]> {
  const responses = await Promise.all(ids.map((id) => send(sandbox, `/${partner}/bid`, bidRequest(id, options))));
  return responses.flatMap(({ status, text }) => (status === 200 ? readBids(text) : []));
}
