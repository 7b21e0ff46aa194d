/** Caller and partner together: the longest lists of a request that the exchange accepts, against lists and texts of a response. */
import { type AuditCase, sampleAt, type WorstText, worstTexts } from './audit-case.ts';
import { httpRequest, httpResponse } from './messages.ts';
import type { Accepts } from './mixed-cases.ts';
import { findParts, partName } from './parts.ts';
import { maxRequestBytes, type SampledPart, sampledParts } from './request-cases.ts';
import { sampleBidResponses, sampleProducts } from './samples.ts';
import { seeded, seedMark } from './seeded.ts';
import { lists, listsOf } from './values/containers.ts';
import type { WorstValue } from './values/worst-value.ts';
import { writeAt } from './write-json.ts';

const maxResponseBytes = 256 * 1024;
/** Of the values of a response: those that something in a request may be compared with. */
const comparedValues = new Set([
  'long text',
  'one-letter labels',
  'list of distinct texts',
  'list of names of many labels',
  'list of distinct numbers',
]);
/** The longest name of a host: one of many labels has as many names above it. */
const nameBytes = 253;
/** What the lists of a request contain, beside items like those of the sample. */
const listNames = new Set(['list of distinct texts', 'list of names of many labels', 'list of distinct numbers']);
/** From one length of a list to the next to try. */
const lengthStep = 0.8;
const fewestBytes = 200;

interface Response {
  kind: 'bids' | 'products';
  value: string;
  text: WorstText;
}

/** In each bid or product, if the part is one of theirs. */
function responsesOf(kind: Response['kind'], samples: readonly object[]): Response[] {
  const limits = { maxBytes: maxResponseBytes, sizes: [nameBytes], tries: isCompared };
  return findParts(undefined, samples)
    .filter(({ type }) => type === 'string' || type === 'array')
    .flatMap((part) => {
      const texts = [...worstTexts(part, samples[0]!, limits)];
      const most = Math.max(...texts.map(({ places }) => places));
      return texts
        .filter(({ places }) => places === most)
        .map((text) => ({ kind, value: `${partName(part)}: ${text.value}`, text }));
    });
}

const isCompared = ({ name }: WorstValue): boolean => comparedValues.has(name);

const responses: readonly Response[] = [
  ...responsesOf('bids', sampleBidResponses),
  ...responsesOf('products', [sampleProducts]),
];

interface LongList {
  name: string;
  value: string;
  request: Buffer;
}

/** Each list of the request with each part of each response. Finds both by walking the schema and the samples. */
export async function* pairCases(accepts: Accepts, isSelected: (part: string) => boolean): AsyncGenerator<AuditCase> {
  for (const list of sampledParts().filter(isList)) {
    if (!isSelected(rowOf(list.name))) continue;
    for (const value of valuesOf(list)) {
      const request = await longestAccepted(list, value, accepts);
      if (request) yield* casesOf({ name: list.name, value: value.name, request });
    }
  }
}

const isList = ({ part, name }: SampledPart): boolean => part.type === 'array' && !name.endsWith('redacted');
const rowOf = (name: string): string => `pair: ${name}`;

const valuesOf = ({ part, sample }: SampledPart): WorstValue[] => {
  const [item] = (sampleAt(sample, part.steps) ?? []) as unknown[];
  return [
    ...lists.filter(({ name }) => listNames.has(name)),
    ...listsOf(item).filter(({ name }) => /distinct/.test(name)),
  ];
};

/** Undefined if the exchange accepts no length. */
async function longestAccepted(
  { part, sample }: SampledPart,
  value: WorstValue,
  accepts: Accepts,
): Promise<Buffer | undefined> {
  const placement = { steps: part.steps, copies: part.maxItems.map(() => 1) };
  for (let bytes = maxRequestBytes * 0.9; bytes > fewestBytes; bytes *= lengthStep) {
    const text = writeAt(sample, placement, () => value.write(bytes, `bbb${seedMark}`));
    if (text.length > maxRequestBytes) continue;
    const request = httpRequest(text);
    if (await accepts(seeded(request)('aaaa'))) return request;
  }
  return undefined;
}

function* casesOf({ name, value, request }: LongList): Generator<AuditCase> {
  for (const { kind, value: responseValue, text } of responses) {
    yield {
      part: rowOf(name),
      value: `${value}; ${responseValue}`,
      sizes: {
        request: request.length,
        bids: kind === 'bids' ? text.bytes : undefined,
        products: kind === 'products' ? text.bytes : undefined,
      },
      prepare: () => {
        const requestOf = seeded(request);
        const responseOf = seeded(httpResponse(text.write(seedMark)));
        return (seed) => ({ request: requestOf(seed), [kind]: responseOf(seed) });
      },
    };
  }
}
