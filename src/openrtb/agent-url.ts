/** Parses the URL of a format's agent: what is wrong with it, or its canonical form. */
import { memoize } from '../cache/memoize.ts';
import { describeCharacter, describeValue } from '../json/describe-value.ts';
import { maxDomainLength } from './domain-set.ts';

export const maxAgentUrlLength = 2_048;

/** `canonical` has scheme and host in lower case, and neither user information, nor the default port, nor a fragment. */
export type AgentUrl = { readonly problem: string } | { readonly canonical: string };

/** More than one request can have (50 formats in 10 impressions), so that each URL of a request is parsed once. */
const cacheLimits = { maxEntries: 600, maxKeyLength: maxAgentUrlLength };

/** The same few URLs occur in most requests. */
export const readAgentUrl = memoize(cacheLimits, (text): AgentUrl => {
  const problem = schemeProblem(text);
  if (problem !== undefined) return { problem };
  const parts = split(text);
  const { host, port } = parts;
  if (host === '') return { problem: 'it has no host' };
  if (host.length > maxDomainLength)
    return { problem: `its host has ${host.length} characters, at most ${maxDomainLength} are allowed` };
  if (host.startsWith('.')) return { problem: 'its host starts with a dot' };
  if (!/^(?::\d*)?$/.test(port)) return { problem: 'its host or port is not valid' }; // else the parser may take it for a part of the host
  return isAscii.test(host) ? parse(parts) : parseInternational(parts);
});

/** What the URL parser would silently correct or drop. */
const forbidden = /[\s\\<>"{}|^`]/;

function schemeProblem(text: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1];
  if (scheme === undefined) return 'it does not start with https://';
  if (scheme.toLowerCase() !== 'https') return `its scheme is ${describeValue(scheme)}`;
  const wrong = text.search(forbidden);
  if (wrong !== -1) return `it contains ${describeCharacter(text, wrong)} at position ${wrong}`;
  if (!/^https:\/\//i.test(text)) return 'https: must be followed by //';
  return '/?#:@'.includes(text['https://'.length] ?? '') ? 'it has no host' : undefined;
}

interface UrlParts {
  host: string;
  /** With its colon, or empty. */
  port: string;
  /** Path and query. */
  rest: string;
  /** The position of the host in the URL. */
  hostAt: number;
}

/** Cuts the host out, so that its length is known before the URL parser sees it. */
function split(text: string): UrlParts {
  const end = 'https://'.length + text.slice('https://'.length).search(/[/?#]|$/);
  const hostAt = Math.max('https://'.length, text.lastIndexOf('@', end - 1) + 1);
  const colon = text[hostAt] === '[' ? text.indexOf(']', hostAt) + 1 : text.indexOf(':', hostAt);
  const hostEnd = colon < hostAt || colon > end ? end : colon;
  const fragment = text.indexOf('#', end);
  return {
    host: text.slice(hostAt, hostEnd),
    port: text.slice(hostEnd, end),
    rest: text.slice(end, fragment === -1 ? undefined : fragment),
    hostAt,
  };
}

const isAscii = /^[\0-\x7f]*$/;

function parse({ host, port, rest }: UrlParts): AgentUrl {
  const url = URL.parse(`https://${host}${port}${rest}`);
  if (!url) return { problem: 'its host or port is not valid' };
  return url.hostname.includes('..') ? { problem: 'its host has an empty label' } : { canonical: url.href };
}

const notInHost = /[\p{Cc}\p{Cn}\p{Co}\p{Cs}\p{Z}%[\]]/u;
const otherDots = /[\u3002\uff0e\uff61]/g;

/**
 * The URL parser maps a host outside ASCII to punycode in quadratic time, up to 0.4 ms for 253 characters, which adds up
 * to 100 ms per body. So the host stays in Unicode and is only lower-cased; the parser gets the rest of the URL.
 */
function parseInternational({ host, port, rest, hostAt }: UrlParts): AgentUrl {
  const wrong = host.search(notInHost);
  if (wrong !== -1)
    return { problem: `its host contains ${describeCharacter(host, wrong)} at position ${hostAt + wrong}` };
  const standIn = 'https://host';
  const url = URL.parse(standIn + port + rest);
  if (!url) return { problem: 'its port is not valid' };
  const lowerCase = host.replaceAll(otherDots, '.').toLowerCase();
  if (lowerCase.includes('..')) return { problem: 'its host has an empty label' };
  return { canonical: `https://${lowerCase}${url.href.slice(standIn.length)}` };
}
