/** The list of warning codes, from which the counters are initialised. */
import { expect, test } from '@jest/globals';
import type { Warning } from '../../src/openrtb/bid-response.ts';
import * as warnings from '../../src/privacy/warnings.ts';

test('warningCodes lists the code of every warning', () => {
  const { warningCodes, ...others } = warnings;
  const codes = Object.values(others).map((warning: Warning | ((field: string) => Warning)) =>
    typeof warning === 'function' ? warning('user').code : warning.code,
  );
  expect([...warningCodes].sort()).toEqual(codes.sort());
});
