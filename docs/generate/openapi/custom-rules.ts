/** The custom rules of the Joi schemas as JSON Schema, by the name of the function. */
import { maxNames } from '../../../src/json/json-budget.ts';
import { maxContainers, maxDepth } from '../../../src/json/parse-json.ts';
import type { ErrorName } from '../../../src/http/http-errors.ts';
import type { JsonSchema } from './json-schema.ts';

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const notInUrl = '\\s\\\\<>"{}|^`';

/** A member that is present: null counts as absent. */
const has = (name: string): JsonSchema => ({
  required: [name],
  properties: { [name]: { not: { type: 'null' } } },
});

/** A rule that is missing here stops the generation. A rule of `rulesBeyondSchema` has what JSON Schema can say of it. */
export const customRules: Record<string, JsonSchema> = {
  apiFramework: { anyOf: [{ minimum: 1, maximum: 9 }, { minimum: 500 }] },
  domainName: { pattern: `^(?!.*\\.\\d+$)(?:${label}\\.)+${label}$` },
  durationsInOrder: {},
  eventTrackers: { maxItems: 20 },
  exactlyOneKind: { oneOf: ['title', 'img', 'video', 'data'].map(has) },
  httpsUrl: { format: 'uri', pattern: `^[Hh][Tt][Tt][Pp][Ss]://[^/?#:@${notInUrl}][^${notInUrl}]*$` },
  nativeText: {
    contentMediaType: 'application/json',
    contentSchema: { $ref: '#/components/schemas/NativeRequestText' },
  },
  nativeVersion: { enum: ['1', '1.0', '1.1', '1.2'] },
  priceIfFixed: { if: { required: ['at'], properties: { at: { const: 3 } } }, then: has('bidfloor') },
  siteOrApp: { not: { allOf: [has('site'), has('app')] } },
  uniqueAssetIds: {},
  uniqueImpIds: {},
  usPrivacyString: { pattern: '^1[YNyn-]{3}$' },
};

/** A rule of the exchange that JSON Schema cannot express, or not fully. */
export interface RuleBeyondSchema {
  /** For the caller. */
  description: string;
  /** The row of the error table that reports it. */
  row: ErrorName;
  /** What the reason contains, where other rules have the same row. */
  reason?: RegExp;
  /** The bodies to which it can apply; all if absent. */
  bodies?: RegExp;
}

/** By the name of the custom rule, if there is one. The tests keep the list exact. */
export const rulesBeyondSchema: Record<string, RuleBeyondSchema> = {
  bodySize: {
    description: 'The body has at most 256 KiB (262144 bytes), after decompression too.',
    row: 'http.tooLarge',
  },
  bodyDepth: {
    description: `The body has at most ${maxDepth} levels of nested objects and arrays, itself included.`,
    row: 'body.tooDeep',
  },
  bodyStructure: {
    description: `A body above 32 KiB has at most ${maxContainers} objects and arrays, and ${maxNames} different member names.`,
    row: 'body.tooComplex',
  },
  nativeDepth: {
    description: `The native request has at most ${maxDepth} levels of nested objects and arrays, itself included.`,
    row: 'native.shape',
    reason: /levels/,
  },
  stringLength: {
    description: 'Lengths of strings are counted in UTF-16 code units; JSON Schema counts characters.',
    row: 'string.max',
    bodies: /[\u{10000}-\u{10ffff}]/u,
  },
  decimals: {
    description: 'imp[].bidfloor has at most 2 decimals; device.geo.lat and device.geo.lon have at most 6.',
    row: 'number.precision',
  },
  uniqueImpIds: { description: 'The ids of the impressions are unique within the request.', row: 'imp.duplicateId' },
  httpsUrl: {
    description: 'The host of an agent URL has at most 253 characters and no empty label; host and port are valid.',
    row: 'value.httpsUrl',
    reason: /host|port/,
  },
  durationsInOrder: {
    description: 'In imp[].video, minduration is at most maxduration.',
    row: 'video.durations',
  },
  nativeDurationsInOrder: {
    description: 'In a video asset of a native request, minduration is at most maxduration.',
    row: 'native.content',
    reason: /must be at most maxduration/,
  },
  uniqueAssetIds: {
    description: 'The ids of the assets are unique within a native request.',
    row: 'native.content',
    reason: /asset ids must be unique/,
  },
};
