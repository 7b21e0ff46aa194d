/** The HAProxy configuration fits the way an instance of the exchange drains. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';

const config = readFileSync(new URL('../../deploy/haproxy/haproxy.cfg', import.meta.url), 'utf8');

test('health checks detect a drain before idle connections close', () => {
  const idleGraceMs = 1_000; // src/http/drain.ts
  const [, inter, fastinter, fall] = /\binter (\d+)ms fastinter (\d+)ms fall (\d+)/.exec(config)!.map(Number);
  expect(config).toContain('http-check send meth GET uri /readyz');
  expect(inter! + fastinter! * (fall! - 1)).toBeLessThan(idleGraceMs);
});

test('failed connections are retried on another instance; sent requests are not', () => {
  expect(config).toMatch(/^ *retries [1-9]/m);
  expect(config).toMatch(/^ *option redispatch 1$/m);
  expect(/^ *retry-on (.*)$/m.exec(config)![1]).toBe('conn-failure');
});
