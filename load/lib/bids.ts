/** Reads the bids of a response and compares each with its impression. */
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

/** Returns an empty object, which no check passes, if the text is not a JSON object. */
export function parseObject(text: string | null): JsonObject {
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

/** The markup has the form of the native request, every required asset, and no asset that was not requested. */
export function matchesNativeRequest({ impid, adm }: Bid, placements: readonly Placement[]): boolean {
  const native = placements.find(({ imp }) => imp.id === impid)?.native;
  if (!native) return false;
  const root = parseObject(adm);
  const markup = (native.isWrapped ? root.native : root) as Markup | undefined;
  const assets = markup?.assets ?? [];
  return (
    typeof markup?.link?.url === 'string' &&
    assets.every(({ id }) => native.assetIds.has(id)) &&
    [...native.required].every(([id, kind]) => assets.some((asset) => asset.id === id && kind in asset))
  );
}

/** A test response reports the integration level; its bids have no win or billing notice URL. */
export function isTestReport({ ext }: JsonObject, bids: readonly Bid[], level: Level): boolean {
  const report = (ext as { service?: JsonObject } | undefined)?.service;
  return (
    report?.test === true &&
    report.valid === true &&
    report.integrationLevel === level &&
    bids.every(({ nurl, burl }) => nurl === undefined && burl === undefined)
  );
}
