/** The list of warning codes, from which the counters are initialised. */
import { expect, test } from '@jest/globals';
import {
  consentMissing,
  consentTooLong,
  consentUndecodable,
  gppUndecodable,
  warningCodes,
} from '../../src/privacy/warnings.ts';

test('warningCodes lists the code of every warning that a live request can cause, once', () => {
  const codes = [
    consentMissing,
    consentTooLong('user.consent'),
    consentUndecodable('user.consent'),
    gppUndecodable('regs.gpp'),
  ].map(({ code }) => code);
  expect(warningCodes.toSorted()).toEqual([...new Set(codes)].sort());
});
