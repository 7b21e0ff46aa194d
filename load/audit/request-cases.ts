/** Cases for each field of the bid request and of the native request in it. */
import type { Schema } from 'joi';
import { bidRequest } from '../../src/openrtb/schema/bid-request.ts';
import { nativeRequest } from '../../src/openrtb/schema/native-request.ts';
import { type AuditCase, sampleAt, type TextLimits, worstTexts } from './audit-case.ts';
import { httpRequest } from './messages.ts';
import { findParts, type Part, partName } from './parts.ts';
import { redactedMembers, redactedRequest, sampleRequests } from './samples.ts';
import { seeded, seedMark } from './seeded.ts';
import { decoded, items } from './write-json.ts';

export const maxRequestBytes = 256 * 1024;
/** In test mode: more than its report looks at. */
const maxTestBytes = 32 * 1024;

/** Where the native request is, with its root key `native`. */
const nativeSteps = ['imp', items, 'native', 'request', decoded, 'native'];

/** The fields of both schemas and the members of the samples. */
const requestParts = (request: Schema, native: Schema): Part[] => {
  const ofRequest = findParts(request, sampleRequests);
  const known = new Set(ofRequest.map(({ steps }) => steps.join('.')));
  const ofNative = findParts(native, [], nativeSteps).filter(({ steps }) => !known.has(steps.join('.')));
  return [...ofRequest, ...ofNative];
};

/** The sample that has the part, or else its root: a request has a site or an app. */
function sampleFor({ steps }: Part): object {
  const [root] = steps;
  const holders = sampleRequests.filter((sample) => root === undefined || root in sample);
  return holders.find((sample) => sampleAt(sample, steps) !== undefined) ?? holders[0] ?? sampleRequests[0]!;
}

/** A part of a request, and the sample that it is audited in. */
export interface SampledPart {
  part: Part;
  sample: object;
  name: string;
}

/** Members that redaction reads are audited with and without it. */
export function sampledParts(request: Schema = bidRequest, native: Schema = nativeRequest): SampledPart[] {
  const all = requestParts(request, native).map((part) => ({ part, sample: sampleFor(part), name: partName(part) }));
  const redacted = findParts(undefined, [redactedRequest])
    .filter(({ steps }) => steps.length > 1 && redactedMembers.includes(steps[0]!))
    .map((part) => ({ part, sample: redactedRequest, name: `${partName(part)}, redacted` }));
  return [...all, ...redacted];
}

export const inTestMode = (parts: readonly SampledPart[]): SampledPart[] =>
  parts.map(({ part, sample, name }) => ({ part, sample: { ...sample, test: 1 }, name: `${name}, in test mode` }));

/** Every part again in test mode, where the response reports on it. */
export function* requestCases(isSelected: (part: string) => boolean): Generator<AuditCase> {
  const all = sampledParts();
  yield* casesOf(
    all.filter(({ name }) => isSelected(name)),
    { maxBytes: maxRequestBytes },
  );
  yield* casesOf(
    inTestMode(all).filter(({ name }) => isSelected(name)),
    {
      maxBytes: maxTestBytes,
      sizes: [Infinity],
      isSingle: true,
    },
  );
}

function* casesOf(parts: readonly SampledPart[], limits: TextLimits): Generator<AuditCase> {
  for (const { part, sample, name } of parts) {
    for (const { value, bytes, write } of worstTexts(part, sample, limits)) {
      yield {
        part: name,
        value,
        sizes: { request: bytes, bids: undefined, products: undefined },
        prepare: () => {
          const requestOf = seeded(httpRequest(write(seedMark)));
          return (seed) => ({ request: requestOf(seed) });
        },
      };
    }
  }
}
