/** The station "minimise": the request as partners may see it, without what identifies a person who did not agree. */
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Warning } from '../openrtb/bid-response.ts';
import { changeMembers, changeMembersOf, type Members } from './change-members.ts';
import { coarseAddress } from './coarse-address.ts';
import { decidePrivacy } from './privacy-decision.ts';

export interface RedactedRequest {
  /** The very object that came in where nothing had to be taken out; else a copy that shares what is unchanged. */
  request: BidRequest;
  warnings: Warning[];
}

/** Only members named here are touched; what the exchange does not know passes, and none of them needs to be valid. */
export function redact(request: BidRequest): RedactedRequest {
  const { disclosure, warnings } = decidePrivacy(request);
  if (disclosure === 'full') return { request, warnings };
  const withPlace = disclosure === 'reduced';
  const changes = { user: minimiseUser(request.user, withPlace), device: minimiseDevice(request.device, withPlace) };
  return { request: changeMembers(request, changes), warnings };
}

const removed = (...names: string[]): Members => Object.fromEntries(names.map((name) => [name, undefined]));

const person = removed('id', 'buyeruid', 'yob', 'gender', 'keywords', 'data', 'eids');
const hardware = removed('ifa', 'didsha1', 'didmd5', 'dpidsha1', 'dpidmd5', 'macsha1', 'macmd5');
const extendedIds = removed('eids');
const extendedHardware = removed('ifv');

const minimiseUser = (user: unknown, withPlace: boolean): unknown =>
  changeMembersOf(user, ({ geo, ext }) => ({
    ...person,
    geo: minimiseGeo(geo, withPlace),
    ext: changeMembersOf(ext, () => extendedIds),
  }));

const minimiseDevice = (device: unknown, withPlace: boolean): unknown =>
  changeMembersOf(device, ({ geo, ip, ipv6, ext }) => ({
    ...hardware,
    geo: minimiseGeo(geo, withPlace),
    ip: coarseAddress(ip),
    ipv6: coarseAddress(ipv6),
    ext: changeMembersOf(ext, () => extendedHardware),
  }));

const minimiseGeo = (geo: unknown, withPlace: boolean): unknown =>
  changeMembersOf(geo, ({ lat, lon }) => ({
    lat: withPlace ? coarseDegrees(lat) : undefined,
    lon: withPlace ? coarseDegrees(lon) : undefined,
  }));

/** Two decimals, about a kilometre. Degrees in quotes would slip through exact; like addresses that are none, they go. */
const coarseDegrees = (degrees: unknown): number | undefined =>
  typeof degrees === 'number' ? Number(degrees.toFixed(2)) : undefined;
