/** Reads and validates the publishers file (PUBLISHERS_FILE). */
import { readFileSync, statSync } from 'node:fs';
import Joi from 'joi';
import { maxPublisherIdLength } from '../contract/api-limits.ts';
import { type AddressRange, parseRange, rangeKey } from '../publishers/address-ranges.ts';
import { hashPrefix } from '../publishers/publisher.ts';
import type { AddressSettings, PublisherSettings, PublishersSettings } from '../publishers/publishers-settings.ts';
import { describeProblems, reportAllProblems } from './config-error.ts';
import { parseFile } from './parse-file.ts';

/** Ten thousand publishers with a key and a range each take about 2 MiB. */
const maxBytes = 8 * 1024 * 1024;
const maxPublishers = 10_000;
const maxAddresses = 10_000;
const maxKeys = 10;
const maxRanges = 100;
const maxPartners = 1_000;
/** A systematic mistake in a long file is a problem in every entry. */
const maxProblems = 100;
/** IPv6 clients with the same /56 share a bucket, which has one limit. */
const maxLimitedPrefix6 = 56;

const limit = Joi.number().integer().min(1).max(1_000_000);

/** A key is not part of a problem, in case it is not hashed. */
const apiKey = Joi.string()
  .pattern(new RegExp(`^${hashPrefix}[0-9a-f]{64}$`, 'i'))
  .messages({
    'string.pattern.base': `{#label} must be ${hashPrefix} followed by the 64 hexadecimal digits of the hash`,
  });

const range = Joi.string()
  .custom((text: string, helpers) => {
    const parsed = parseRange(text);
    return 'problem' in parsed ? helpers.error('range', parsed) : text;
  })
  .messages({ range: '{#label} {#problem}' });

const partnerNames = Joi.array().items(Joi.string()).min(1).max(maxPartners);

const publisher = Joi.object<PublisherSettings>({
  id: Joi.string().max(maxPublisherIdLength).required(),
  limit,
  apiKeys: Joi.array().items(apiKey).min(1).max(maxKeys),
  addresses: Joi.array().items(range).min(1).max(maxRanges),
  floor: Joi.number().min(0).max(1_000).precision(2),
  floorCurrency: Joi.string()
    .pattern(/^[A-Za-z]{3}$/)
    .messages({ 'string.pattern.base': '{#label} must be a currency code of three letters' }),
  partners: Joi.object({ allowed: partnerNames, blocked: partnerNames }),
})
  .with('floorCurrency', 'floor')
  .messages({ 'object.with': '{#label}.{#mainWithLabel} requires {#peerWithLabel}' });

const address = Joi.object<AddressSettings>({ range: range.required(), limit, exempt: Joi.valid(true) })
  .xor('limit', 'exempt')
  .messages({
    'object.missing': '{#label} must have limit or exempt',
    'object.xor': '{#label} must have limit or exempt, not both',
  });

const publishersFile = Joi.object<PublishersSettings>({
  reservedShare: Joi.number().min(0).less(1).default(0),
  publishers: Joi.array().items(publisher).max(maxPublishers).default([]),
  addresses: Joi.array().items(address).max(maxAddresses).default([]),
}).required();

export type PublishersResult = { publishers: PublishersSettings } | { problems: string[] };

/** What the file may refer to. Undefined if it is not known: the partners of the sandbox, or another file that is invalid. */
export interface Known {
  partners: readonly { name: string }[] | undefined;
  /** By code in upper case; USD is always known. */
  dollarsPer: Readonly<Record<string, number>> | undefined;
}

export function readPublishersFile(path: string, known: Known): PublishersResult {
  const source = `PUBLISHERS_FILE ${path}`;
  try {
    const { size } = statSync(path);
    if (size > maxBytes) return { problems: [`${source}: must have at most ${maxBytes} bytes; got ${size}`] };
    return readPublishers(readFileSync(path, 'utf8'), source, known);
  } catch (error) {
    return { problems: [`${source}: ${(error as Error).message}`] };
  }
}

/** Every problem starts with `source`. */
export function readPublishers(text: string, source: string, known: Known): PublishersResult {
  const parsed = parseFile(text);
  if ('problem' in parsed) return { problems: [`${source}: ${parsed.problem}`] };
  const { value, error } = publishersFile.validate(parsed.content, { ...reportAllProblems, convert: false });
  const problems = error ? describeProblems(error) : [...contradictions(value), ...unknownNames(value, known)];
  if (problems.length === 0) return { publishers: value as PublishersSettings };
  const reported = problems.slice(0, maxProblems);
  if (problems.length > maxProblems) reported.push(`${problems.length - maxProblems} more problems`);
  return { problems: reported.map((problem) => `${source}: ${problem}`) };
}

/** Ranges are compared by value, not by their text. Takes linear time; the `unique` of Joi with a comparator is quadratic. */
function* contradictions({ publishers, addresses }: PublishersSettings): Iterable<string> {
  yield* duplicates('publishers', publishers, ({ id }) => ['id', id]);
  yield* duplicates('addresses', addresses, (one) => ['range', rangeKey(parseRange(one.range) as AddressRange)]);
  for (const [index, entry] of addresses.entries()) {
    const { family, prefixLength } = parseRange(entry.range) as AddressRange;
    if (family === 6 && prefixLength > maxLimitedPrefix6 && 'limit' in entry)
      yield `addresses[${index}].range must have a prefix of at most ${maxLimitedPrefix6} bits to have a limit, because IPv6 clients are counted by their /${maxLimitedPrefix6}; got /${prefixLength}`;
  }
  for (const [index, { partners }] of publishers.entries()) {
    const blocked = new Set(partners?.blocked);
    for (const name of partners?.allowed ?? [])
      if (blocked.has(name)) yield `publishers[${index}].partners: ${name} is both allowed and blocked`;
  }
}

function* duplicates<Entry>(
  list: string,
  entries: readonly Entry[],
  memberOf: (entry: Entry) => [member: string, value: string],
): Iterable<string> {
  const first = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    const [member, value] = memberOf(entry);
    const known = first.get(value);
    if (known === undefined) first.set(value, index);
    else yield `${list}[${index}].${member} is also the ${member} of ${list}[${known}]`;
  }
}

/** A misspelled name would silently block nobody, and a floor without a rate stops all sales of the publisher. */
function* unknownNames({ publishers }: PublishersSettings, { partners, dollarsPer }: Known): Iterable<string> {
  const names = partners && new Set(partners.map(({ name }) => name));
  for (const [index, publisher] of publishers.entries()) {
    for (const list of ['allowed', 'blocked'] as const)
      for (const [at, name] of (publisher.partners?.[list] ?? []).entries())
        if (names?.has(name) === false)
          yield `publishers[${index}].partners.${list}[${at}]: DEMAND_FILE has no partner ${name}`;
    const currency = publisher.floorCurrency?.toUpperCase() ?? 'USD';
    if (currency !== 'USD' && dollarsPer && !Object.hasOwn(dollarsPer, currency))
      yield `publishers[${index}].floorCurrency: RATES_FILE has no rate for ${currency}`;
  }
}
