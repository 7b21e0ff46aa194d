/** Encodes the bid request for partners: the caller's request with what the exchange replaces and adds. */
import { perObject } from '../../memory/per-object.ts';
import type { BidRequest, Imp, Source, SupplyChain } from '../../openrtb/bid-request.ts';
import type { Auction, Impression, SupplyChainNode } from '../adapter.ts';

/** The request without its opening brace and its `tmax`: equal for all partners, so it is encoded once per auction. */
export const encodeRequest = perObject(encode);

function encode({ request, impressions, terms }: Auction): string {
  const imp = impressions.length === request.imp.length ? request.imp : tradedOf(request, impressions);
  const { at, cur, schainNode } = terms;
  const added = `"at":${at},"cur":${JSON.stringify(cur)},`;
  const replaced = { tmax: undefined, at: undefined, cur: undefined, imp };
  if (!schainNode) return added + encodeWith(request, replaced).slice(1);
  const source = encodeSource(request.source ?? {}, schainNode);
  return `${added}"source":${source},${encodeWith(request, { ...replaced, source: undefined }).slice(1)}`;
}

/** As this view of the request has them: those of the impressions are of the view without consent. */
function tradedOf({ imp }: BidRequest, impressions: readonly Impression[]): Imp[] {
  const ids = new Set(impressions.map((impression) => impression.imp.id));
  return imp.filter(({ id }) => ids.has(id));
}

/** The supply chain is sent at its 2.6 path only. */
function encodeSource(source: Source, node: SupplyChainNode): string {
  const { ext } = source;
  const schain = `"schain":${encodeChain(source.schain ?? ext?.schain, node)}`;
  if (ext?.schain === undefined) return prepend(schain, encodeWith(source, { schain: undefined }));
  const members = `${schain},"ext":${encodeWith(ext, { schain: undefined })}`;
  return prepend(members, encodeWith(source, { schain: undefined, ext: undefined }));
}

function encodeChain(chain: SupplyChain | undefined, node: SupplyChainNode): string {
  if (chain === undefined) return JSON.stringify({ ver: '1.0', complete: 1, nodes: [node] });
  const nodes = JSON.stringify([...(chain.nodes ?? []), node]);
  return prepend(`"nodes":${nodes}`, encodeWith(chain, { nodes: undefined }));
}

/** Replaces members while it encodes: to copy a request with thousands of unknown members takes tens of milliseconds. */
function encodeWith<T extends object>(object: T, replacements: { [Key in keyof T]?: T[Key] | undefined }): string {
  const members = object as Record<string, unknown>;
  const originals: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(replacements)) {
    if (members[key] === undefined) continue; // to add a member and delete it again would make the object slow
    originals[key] = members[key];
    members[key] = value;
  }
  try {
    return JSON.stringify(object);
  } finally {
    Object.assign(members, originals);
  }
}

const prepend = (members: string, object: string): string =>
  object === '{}' ? `{${members}}` : `{${members},${object.slice(1)}`;
