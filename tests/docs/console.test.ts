/** The figures in docs/console.md are those of the code. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { maxSessions, sessionMs } from '../../src/fleet/console/console-access.ts';
import { maxTryBytes } from '../../src/contract/api-limits.ts';
import { auctionQuotas, maxAuctions, maxErrors, maxTries, trySettings } from '../../src/fleet/console/console-api.ts';
import { maxStreams, maxUnreadBytes } from '../../src/fleet/console/live-feed.ts';
import { maxInTotal, maxPerAddress } from '../../src/fleet/console/login-failures.ts';
import { defaultLimits } from '../../src/fleet/console/sample-history.ts';
import { maxBids, maxPartners } from '../../src/http/sample-requests.ts';
import { sampleLimits } from '../../src/observe/console/auction-samples.ts';
import { maxRows } from '../../src/observe/console/error-table.ts';

const text = readFileSync(new URL('../../docs/console.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
const { error, test: tests, other } = sampleLimits;
const kibibytes = (bytes: number) => `${bytes / 1_024} KiB`;

test.each([
  `${error.kept} errors, ${tests.kept} test requests, ${other.kept} others`,
  `about ${error.perSecond}, ${tests.perSecond} and ${other.perSecond} new ones per second`,
  `${maxPartners} partners and ${maxBids} bids each`,
  `${maxRows} rows; beyond that`,
  `${defaultLimits.samples}, at most ${defaultLimits.characters / 1e6} million characters`,
  `${maxStreams} clients; one that leaves ${kibibytes(maxUnreadBytes)} unread`,
  `${maxTries} at a time, ${kibibytes(maxTryBytes)} each, ${trySettings.timeoutMs / 1_000} s, responses of ${trySettings.maxResponseBytes / 1_048_576} MiB`,
  `valid for ${sessionMs / 3_600_000} hours`,
  `at most ${maxSessions} sessions at a time`,
  `After ${maxPerAddress} wrong tokens per minute from one address, or ${maxInTotal} in all`,
  `the latest auction samples, at most ${maxAuctions};`,
  `the error table, at most ${maxErrors} rows`,
  `the samples of the last ${defaultLimits.samples / 60} minutes`,
  `At least ${auctionQuotas.error} errors, ${auctionQuotas.test} test requests and ${auctionQuotas.other} others have a place`,
])('it has "%s"', (figures) => {
  expect(text).toContain(figures);
});
