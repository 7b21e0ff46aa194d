/** The fields that redaction changes, per level: the list that redaction applies and that docs/privacy.md shows. */
import { isObject } from '../json/guards.ts';
import { cutQuery, roundDegrees, truncateIp } from './coarsen.ts';

/** From the least to the most restrictive; each level includes the ones before it. */
export const redactionLevels = ['none', 'identifiers', 'standard', 'child'] as const;

/**
 * - `none`: the partner receives the request unchanged.
 * - `identifiers`: no identifiers of the user and of the device.
 * - `standard`: also no profile; IP addresses, coordinates and page URLs are coarsened.
 * - `child` (COPPA): also no location below the region.
 */
export type Redaction = (typeof redactionLevels)[number];

export const mostRestrictive = (one: Redaction, other: Redaction): Redaction =>
  redactionLevels.indexOf(one) >= redactionLevels.indexOf(other) ? one : other;

/** What happens to the value of a field. */
export interface Change {
  description: string;
  /** The value to send instead; undefined removes the field. */
  apply: (value: unknown) => unknown;
}

export interface RedactedField {
  path: string;
  /** The path is that of a field in any object of the request. */
  isAnywhere?: boolean;
  changes: Readonly<Partial<Record<Redaction, Change>>>;
}

const removed: Change = { description: 'removed', apply: () => undefined };
const truncated: Change = { description: 'truncated (IPv4 to /24, IPv6 to /56)', apply: truncateIp };
const rounded: Change = { description: 'rounded to 2 decimals', apply: roundDegrees };
const withoutQuery: Change = { description: 'cut at the first `?` or `#`', apply: cutQuery };

const only = (...names: string[]): Change => ({
  description: `only ${names.map((name) => `\`${name}\``).join(', ')} kept`,
  apply: (value) => pick(value, names),
});

/** Does not copy the rest, which may have thousands of members. Anything but an object is removed. */
function pick(value: unknown, names: readonly string[]): unknown {
  if (!isObject(value)) return undefined;
  const kept = names.filter((name) => value[name] !== undefined);
  if (hasNoMoreThan(value, kept.length)) return value;
  return Object.fromEntries(kept.map((name) => [name, value[name]]));
}

function hasNoMoreThan(object: object, count: number): boolean {
  let left = count;
  for (const _name in object) if (--left < 0) return false;
  return true;
}

const identifier = (path: string): RedactedField => ({
  path,
  changes: { identifiers: removed, standard: removed, child: removed },
});
const personal = (path: string, change = removed): RedactedField => ({
  path,
  changes: { standard: change, child: change },
});
const coordinate = (path: string): RedactedField => ({ path, changes: { standard: rounded, child: removed } });
const childOnly = (path: string): RedactedField => ({ path, changes: { child: removed } });

export const redactedFields: readonly RedactedField[] = [
  ...['user.id', 'user.buyeruid'].map(identifier),
  { ...identifier('eids'), isAnywhere: true },
  ...['ifa', 'didsha1', 'didmd5', 'dpidsha1', 'dpidmd5', 'macsha1', 'macmd5'].map((id) => identifier(`device.${id}`)),
  identifier('device.ext.ifv'),
  ...['yob', 'gender', 'keywords', 'kwarray', 'customdata', 'data'].map((name) => personal(`user.${name}`)),
  personal('user.ext', only('consent')),
  personal('user.geo', only('country', 'region', 'type')),
  personal('device.ext'),
  personal('device.ip', truncated),
  personal('device.ipv6', truncated),
  coordinate('device.geo.lat'),
  coordinate('device.geo.lon'),
  personal('device.geo.zip'),
  personal('device.geo.ext'),
  ...['city', 'metro', 'accuracy', 'lastfix', 'ipservice'].map((name) => childOnly(`device.geo.${name}`)),
  personal('site.page', withoutQuery),
  personal('site.ref', withoutQuery),
];
