/** The network time to a partner, from its TCP handshakes. */
import { expect, test } from '@jest/globals';
import { NetworkTime } from '../../src/demand/network-time.ts';

test('is 0 until a handshake is known, then the fastest of the last ten', () => {
  const network = new NetworkTime();
  expect(network.roundTripMs).toBe(0);
  for (const ms of [30, 12, 90]) network.connected(ms);
  expect(network.roundTripMs).toBe(12);
  for (let i = 0; i < 8; i++) network.connected(40);
  expect(network.roundTripMs).toBe(12);
  network.connected(40);
  expect(network.roundTripMs).toBe(40);
});
