/** Redacts the personal data that partners may not receive: the stage between validation and the auction. */
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Warning } from '../openrtb/bid-response.ts';
import { roundDegrees, truncateIp } from './coarsen.ts';
import { decidePrivacy } from './privacy-decision.ts';
import { type Fields, replaceFields, replaceFieldsIn } from './replace-fields.ts';

export interface RedactedRequest {
  /** The original object if nothing was redacted; otherwise a copy that shares its unchanged parts. */
  request: BidRequest;
  warnings: Warning[];
}

const removed = (...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, undefined]));

const userIdentity = removed('id', 'buyeruid', 'yob', 'gender', 'keywords', 'data', 'eids');
const userExtIdentity = removed('eids');
const deviceIds = removed('ifa', 'didsha1', 'didmd5', 'dpidsha1', 'dpidmd5', 'macsha1', 'macmd5');
const deviceExtIds = removed('ifv');
const coordinates = removed('lat', 'lon');

/** Only the fields named in this file change. Unknown fields pass, and no field has to be valid. */
export function redact(request: BidRequest): RedactedRequest {
  const { redaction, warnings } = decidePrivacy(request);
  if (redaction === 'none') return { request, warnings };
  const redactGeo = redaction === 'child' ? removeCoordinates : coarsenCoordinates;
  const user = redactUser(request.user, redactGeo);
  const device = redactDevice(request.device, redactGeo);
  return { request: replaceFields(request, { user, device }), warnings };
}

type Redact = (value: unknown) => unknown;

const redactUser = (user: unknown, redactGeo: Redact): unknown =>
  replaceFieldsIn(user, ({ geo, ext }) => ({
    ...userIdentity,
    geo: redactGeo(geo),
    ext: replaceFieldsIn(ext, () => userExtIdentity),
  }));

const redactDevice = (device: unknown, redactGeo: Redact): unknown =>
  replaceFieldsIn(device, ({ geo, ip, ipv6, ext }) => ({
    ...deviceIds,
    geo: redactGeo(geo),
    ip: truncateIp(ip),
    ipv6: truncateIp(ipv6),
    ext: replaceFieldsIn(ext, () => deviceExtIds),
  }));

const removeCoordinates: Redact = (geo) => replaceFieldsIn(geo, () => coordinates);

const coarsenCoordinates: Redact = (geo) =>
  replaceFieldsIn(geo, ({ lat, lon }) => ({ lat: roundDegrees(lat), lon: roundDegrees(lon) }));
