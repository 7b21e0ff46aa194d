/** The errors of ioredis in plain words, and the log fields of an outage. */
import { describe, expect, test } from '@jest/globals';
import { BucketsUnavailable } from '../../src/limits/buckets.ts';
import { causeFields } from '../../src/limits/cause-fields.ts';
import { redisCause } from '../../src/limits/redis-cause.ts';

test.each([
  ["Stream isn't writeable and enableOfflineQueue options is false", 'not connected to Redis'],
  ["Cluster isn't ready and enableOfflineQueue options is false", 'not connected to Redis'],
  ['Connection is closed.', 'not connected to Redis'],
  ['None of startup nodes is available', 'not connected to Redis'],
  [
    'Reached the max retries per request limit (which is 0). Refer to "maxRetriesPerRequest" option for details.',
    'the connection to Redis was lost',
  ],
  ['Command aborted due to connection close', 'the connection to Redis was lost'],
  ["Socket timeout. Expecting data, but didn't receive any in 1000ms.", 'Redis did not respond in time'],
  ['no response within 400 ms', 'Redis did not respond in time'],
  ['NOAUTH Authentication required.', 'NOAUTH Authentication required.'],
  ['connect ECONNREFUSED 127.0.0.1:6379', 'connect ECONNREFUSED 127.0.0.1:6379'],
])('%s', (message, cause) => {
  expect(redisCause(new Error(message))).toBe(cause);
});

describe('the log fields', () => {
  test('of an outage are its cause, without a stack', () => {
    expect(causeFields(new BucketsUnavailable('not connected to Redis', { cause: new Error('closed') }))).toEqual({
      cause: 'not connected to Redis',
    });
  });

  test('of a defect are the error with its stack', () => {
    const defect = new TypeError('a defect');
    expect(causeFields(defect)).toEqual({ err: defect });
  });
});
