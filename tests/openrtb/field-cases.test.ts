/** Every field of the specification has cases: accepted at each of its limits, rejected just outside. */
import { describe, expect, test } from '@jest/globals';
import { parseJson } from '../../src/json/parse-json.ts';
import type { ErrorResponse } from '../../src/openrtb/error-row.ts';
import { bidRequest } from '../../src/openrtb/schema/bid-request.ts';
import { nativeRequest } from '../../src/openrtb/schema/native-request.ts';
import { validateBidRequest } from '../../src/openrtb/validate-bid-request.ts';
import { caseBodies } from '../support/case-bodies.ts';
import { readFields, valuesAt } from '../support/schema-fields.ts';

interface ValidatedBody {
  body: unknown;
  /** Undefined if the body is valid. The field is without indexes. */
  error?: { code: string; field: string };
}

const validated = caseBodies().map((text): ValidatedBody => {
  const body = parseJson(text);
  const result = validateBidRequest(body);
  return result.valid ? { body } : { body, error: withoutIndexes(result.error) };
});

/** A field inside the native request is prefixed with `native:`. */
function withoutIndexes({ code, field = '', reason }: ErrorResponse): { code: string; field: string } {
  const inner = field.endsWith('native.request') ? /^([\w.[\]]+): /.exec(reason)?.[1] : undefined;
  const path = inner === undefined ? field : `native:${inner.replace(/^native\./, '')}`;
  return { code, field: path.replaceAll(/\[\d+\]/g, '[]') };
}

const innerFields = readFields(nativeRequest).map((field) => ({ ...field, path: `native:${field.path}` }));
const fields = [...readFields(bidRequest), ...innerFields].filter(({ path }) => !['', 'native:'].includes(path));

function valuesOf(body: unknown, path: string): unknown[] {
  if (!path.startsWith('native:')) return valuesAt(body, path);
  return valuesAt(body, 'imp[].native.request').flatMap((text) => {
    const root = parseJson(String(text)) as { native?: unknown };
    return valuesAt(root.native ?? root, path.slice('native:'.length));
  });
}

const size = (value: unknown): number => (typeof value === 'number' ? value : (value as string | unknown[]).length);
const decimals = (value: unknown): number => String(value).split('.')[1]?.length ?? 0;

const accepted = (path: string, fits: (value: unknown) => boolean = () => true) =>
  validated.some(({ body, error }) => !error && valuesOf(body, path).some(fits));

const rejected = (path: string, codes: string[], fits: (value: unknown) => boolean = () => true) =>
  validated.some(
    ({ body, error }) => error?.field === path && codes.includes(error.code) && valuesOf(body, path).some(fits),
  );

/** Inside the native request every error but an unsupported version has one code. */
const codesFor = (path: string, code: string) => (path.startsWith('native:') ? ['INVALID_FIELD_VALUE'] : [code]);

describe.each(fields.map((field) => [field.path, field] as const))('%s', (path, field) => {
  test('is accepted, and rejected with a wrong type', () => {
    expect({ accepted: accepted(path) }).toEqual({ accepted: true });
    expect({ wrongType: rejected(path, codesFor(path, 'INVALID_FIELD_TYPE')) }).toEqual({ wrongType: true });
  });

  if (field.hasRule) {
    test('is rejected if its rule is broken', () => {
      const broken = validated.some(
        ({ error }) => error?.field.startsWith(path) && error.code !== 'INVALID_FIELD_TYPE',
      );
      expect({ broken }).toEqual({ broken: true });
    });
  }

  if (field.required && !path.startsWith('imp[].native')) {
    test('is reported if it is missing', () => {
      const reported = validated.some(({ error }) => error?.field === path && isMissing(error.code, path));
      expect({ reported }).toEqual({ reported: true });
    });
  }

  for (const { rule, limit } of field.limits) {
    test(`is accepted at its ${rule} of ${limit}, and rejected just outside`, () => {
      const measure = rule === 'precision' ? decimals : size;
      const maxDistance = rule === 'precision' || field.integer || field.type !== 'number' ? 1 : 0.1;
      const outside = (value: unknown) => {
        const distance = (measure(value) - limit) * (rule === 'min' ? -1 : 1);
        return distance > 0 && distance <= maxDistance;
      };
      expect({ at: accepted(path, (value) => measure(value) === limit) }).toEqual({ at: true });
      expect({ outside: rejected(path, ['INVALID_FIELD_VALUE'], outside) }).toEqual({ outside: true });
    });
  }
});

const isMissing = (code: string, path: string) =>
  code === (path.startsWith('native:') ? 'INVALID_FIELD_VALUE' : 'MISSING_REQUIRED_FIELD');

const inContext = [
  'messageSequenceNumber messageLength isQuickReply userThinkTimeMs sessionDurationMs',
  'intent.value intent.confidence intent.topics intent.signals sentiment.value sentiment.score',
  'funnel.stage funnel.progress audience.interests audience.behaviors',
];

const specifiedFields = [
  'id imp test at tmax site app device user regs ext',
  'imp[].id imp[].native imp[].bidfloor imp[].ext imp[].native.request imp[].native.ver imp[].native.api',
  'native:ver native:assets native:assets[].id native:assets[].required native:assets[].title.len',
  'native:assets[].img.w native:assets[].img.h native:assets[].video.minduration native:assets[].video.maxduration',
  'site.id site.name site.domain site.cat site.keywords site.publisher.id',
  'app.id app.bundle app.cat app.keywords app.publisher.id',
  'device.ua device.ip device.language device.devicetype device.geo.lat device.geo.lon device.geo.country',
  'user.id user.gender user.data[].id user.data[].name user.data[].segment[].id user.ext.consent user.consent',
  'regs.ext.gdpr regs.ext.us_privacy regs.coppa regs.gdpr regs.us_privacy regs.gpp regs.gpp_sid',
  'imp[].ext.service.adcpFormats imp[].ext.service.adcpFormats[].agent_url imp[].ext.service.adcpFormats[].id',
  ...inContext.map((line) => line.replaceAll(/\S+/g, 'ext.service.$&')),
].flatMap((line) => line.split(' '));

test('the schema has every field of the specification', () => {
  const known = new Set(fields.map(({ path }) => path));
  expect(specifiedFields.filter((path) => !known.has(path))).toEqual([]);
});
