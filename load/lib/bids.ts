/** The bids of a response, each held against the impression that it is for. */
import type { Level } from './bid-request.ts';
import type { Placement } from './placement.ts';

type JsonObject = Record<string, unknown>;

export interface Bid {
  impid: string;
  price: number;
  adm: string;
  nurl?: string;
  burl?: string;
}

interface Markup {
  assets?: { id: number; [kind: string]: unknown }[];
  link?: { url?: unknown };
}

/** Of a text that is no JSON object it makes an empty one, which no check passes. */
export function parse(text: string | null): JsonObject {
  try {
    const value = JSON.parse(text ?? '') as JsonObject | null;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

export const bidsOf = ({ seatbid }: JsonObject): Bid[] =>
  Array.isArray(seatbid) ? (seatbid as { bid: Bid[] }[]).flatMap(({ bid }) => bid) : [];

export function isAboveFloor({ impid, price }: Bid, placements: readonly Placement[]): boolean {
  const placement = placements.find(({ imp }) => imp.id === impid);
  return placement !== undefined && placement.demand !== 'none' && price > 0 && price >= placement.floor;
}

/** In the form of the request, with every required asset and none that nobody asked for. */
export function servesRequest({ impid, adm }: Bid, placements: readonly Placement[]): boolean {
  const native = placements.find(({ imp }) => imp.id === impid)?.native;
  if (!native) return false;
  const root = parse(adm);
  const markup = (native.wrapped ? root.native : root) as Markup | undefined;
  const assets = markup?.assets ?? [];
  return (
    typeof markup?.link?.url === 'string' &&
    assets.every(({ id }) => native.known.has(id)) &&
    [...native.required].every(([id, kind]) => assets.some((asset) => asset.id === id && kind in asset))
  );
}

export function isReported({ ext }: JsonObject, bids: readonly Bid[], level: Level): boolean {
  const report = (ext as { service?: JsonObject } | undefined)?.service;
  return (
    report?.test === true &&
    report.valid === true &&
    report.integrationLevel === level &&
    bids.every(({ nurl, burl }) => nurl === undefined && burl === undefined)
  );
}
