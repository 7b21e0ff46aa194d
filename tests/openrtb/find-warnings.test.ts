/** What the search for misspelled members costs at most, whatever a request has. */
import { expect, test } from '@jest/globals';
import type { BidRequest } from '../../src/openrtb/bid-request.ts';
import { findWarnings } from '../../src/openrtb/find-warnings.ts';

const misspelled = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`service${String(index).padStart(2, '0')}`, {}]));

const requestWith = (impressions: number, members: number) =>
  ({
    id: '1',
    imp: Array.from({ length: impressions }, (_, index) => ({ id: String(index), ext: misspelled(members) })),
    ext: { servcie: {} },
  }) as unknown as BidRequest;

const fieldsOf = (request: BidRequest) => findWarnings(request).map(({ field }) => field);

test('all misspelled members of an ordinary request are found', () => {
  expect(fieldsOf(requestWith(2, 3))).toEqual([
    'imp[0].ext.service00',
    'imp[0].ext.service01',
    'imp[0].ext.service02',
    'imp[1].ext.service00',
    'imp[1].ext.service01',
    'imp[1].ext.service02',
    'ext.servcie',
  ]);
});

test('at most 100 members of a request are looked at, those of ext first', () => {
  const fields = fieldsOf(requestWith(10, 90));
  expect(fields).toHaveLength(100);
  expect(fields).toContain('ext.servcie');
});

test('a misspelled member of the service extension of an impression is found', () => {
  const imp = [{ id: '1', ext: { service: { adcpformats: [], other: 1 } } }];
  expect(fieldsOf({ id: '1', imp } as unknown as BidRequest)).toEqual(['imp[0].ext.service.adcpformats']);
});
