/** Parses the headers `traceparent` and `tracestate` by the W3C recommendation Trace Context. Invalid ones are ignored. */
import type { TraceHeaders } from './tracer.ts';

/** A trace that a caller has started. */
export interface TraceContext {
  traceId: string;
  parentId: string;
  isSampled: boolean;
  /** Valid in `headers` only; undefined if absent or invalid. */
  tracestate: string | undefined;
  /** The headers to pass on if the exchange adds no span of its own. */
  headers: TraceHeaders;
}

/** Version ff and ids of zeros are invalid. What follows the flags belongs to a later version. */
const format = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/s;

const sampledFlag = 1;
const maxTraceparentLength = 512;
/** The recommendation requires at least this much to be passed on. */
const maxTracestateLength = 512;
const maxMembers = 32;

/** Undefined if `traceparent` is invalid; `tracestate` is then not read. */
export function parseTraceContext(traceparent: string, tracestate: unknown): TraceContext | undefined {
  const fields = traceparent.length <= maxTraceparentLength && format.exec(traceparent);
  if (!fields) return undefined;
  const [, version, traceId, parentId, flags, more] = fields as unknown as string[];
  const isKnownVersion = version === '00';
  if (isKnownVersion && more !== undefined) return undefined;
  const isSampled = (parseInt(flags!, 16) & sampledFlag) === sampledFlag;
  const state = typeof tracestate === 'string' && isTracestate(tracestate) ? tracestate : undefined;
  // A later version is passed on as version 00: nothing is known about its other fields.
  const parent = isKnownVersion ? traceparent : toTraceparent(traceId!, parentId!, isSampled);
  return { traceId: traceId!, parentId: parentId!, isSampled, tracestate: state, headers: traceHeaders(parent, state) };
}

export const toTraceparent = (traceId: string, parentId: string, isSampled: boolean): string =>
  `00-${traceId}-${parentId}-${isSampled ? '01' : '00'}`;

export const traceHeaders = (traceparent: string, tracestate: string | undefined): TraceHeaders =>
  tracestate === undefined ? { traceparent } : { traceparent, tracestate };

const key = '(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})';
/** Printable ASCII without comma and equals sign; a space may not be last. */
const value = String.raw`[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]`;
const member = new RegExp(`^(${key})=${value}$`);
const blanksAround = /^[ \t]+|[ \t]+$/g;

/** Whether the value is a list of at most 32 members with different keys. Empty members are allowed. */
function isTracestate(tracestate: string): boolean {
  if (tracestate === '' || tracestate.length > maxTracestateLength) return false;
  const members = tracestate.split(',');
  if (members.length > maxMembers) return false;
  const keys = new Set<string>();
  for (const text of members) {
    const trimmed = text.replace(blanksAround, '');
    if (trimmed === '') continue;
    const name = member.exec(trimmed)?.[1];
    if (name === undefined || keys.has(name)) return false;
    keys.add(name);
  }
  return keys.size > 0;
}
