/** All errors of an invalid test request: the list and the single error agree. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { validateBidRequest } from '../../src/openrtb/validate-bid-request.ts';
import { fullRequest } from '../support/full-request.ts';
import { mutated } from '../support/mutate.ts';
import { numRuns } from '../support/num-runs.ts';

const errorOf = (body: unknown) => {
  const validation = validateBidRequest(structuredClone(body));
  return validation.valid ? undefined : validation.error;
};

describe('the errors of a request in test mode', () => {
  test('begin with the error of the request, which is the same as without test mode', () => {
    fc.assert(
      fc.property(mutated(fullRequest), (body) => {
        const single = errorOf({ ...(body as object), test: 0 });
        const inTest = errorOf({ ...(body as object), test: 1 });
        if (!single) return expect(inTest).toBeUndefined();
        const { errors, ...reported } = inTest!;
        expect(reported).toEqual(single);
        const { code, field, reason } = single;
        expect(errors![0]).toEqual(field === undefined ? { code, reason } : { code, field, reason });
        expect(new Set(errors!.map((error) => JSON.stringify(error))).size).toBe(errors!.length);
      }),
      { numRuns: numRuns(2_000) },
    );
  });

  test.each(['badv', 'bcat', 'bapp', 'wseat', 'bseat'])('begin with the size of %s, not with its items', (list) => {
    const body = { ...fullRequest, test: 1, [list]: Array<number>(1_001).fill(1) };
    const { errors, field, reason } = errorOf(body)!;
    expect({ field, reason }).toMatchObject({ field: list, reason: expect.stringContaining('at most 1000 items') });
    expect(errors!.slice(0, 2)).toMatchObject([{ field: list, reason }, { field: `${list}[0]` }]);
  });

  test('list a rule about an object once if an item of a list in it has an error, too', () => {
    const video = { minduration: 9, maxduration: 1, protocols: [null] };
    const text = JSON.stringify({ ver: '1.2', assets: [{ id: 1, video }] });
    const { errors } = errorOf({ id: 'r1', imp: [{ id: '1', native: { request: text } }], test: 1 })!;
    expect(errors!.map(({ reason }) => reason.split(':')[0])).toEqual([
      'assets[0].video.protocols[0]',
      'assets[0].video.minduration',
    ]);
  });

  test.each([
    ['an object', JSON.stringify({ assets: [{ id: 1 }], padding: 'x'.repeat(32_768) })],
    ['more arrays than are parsed', `[${'[],'.repeat(40_000)}[]]`],
  ])('of a native request that is too long are its length alone: %s', (_what, text) => {
    const { errors } = errorOf({ id: 'r1', imp: [{ id: '1', native: { request: text } }], test: 1 })!;
    const reason = `must be at most 32768 characters; got ${text.length}`;
    expect(errors).toEqual([{ code: 'INVALID_FIELD_VALUE', field: 'imp[0].native.request', reason }]);
  });

  test('are at most 100', () => {
    const body = { ...fullRequest, test: 1, badv: Array<number>(500).fill(1), bcat: Array<number>(500).fill(1) };
    expect(errorOf(body)!.errors).toHaveLength(100);
  });

  test('are not listed without test mode', () => {
    expect(errorOf({ ...fullRequest, test: 0, at: 7 })!.errors).toBeUndefined();
  });
});
