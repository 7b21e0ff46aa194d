/** The list of warning codes, from which their counters are made. */
import { expect, test } from '@jest/globals';
import type { Warning } from '../../src/openrtb/bid-response.ts';
import * as warnings from '../../src/privacy/warnings.ts';

test('has the code of every warning there is', () => {
  const { warningCodes, ...others } = warnings;
  const codes = Object.values(others).map((one: Warning | ((field: string) => Warning)) =>
    typeof one === 'function' ? one('user').code : one.code,
  );
  expect([...warningCodes].sort()).toEqual(codes.sort());
});
