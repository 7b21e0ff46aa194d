/** What partners need of their worker, for tests: one worker, no waiting, nothing reported. */
import type { PartnerEnvironment } from '../../src/demand/create-partners.ts';

export const atOnce = () => Promise.resolve(true);

export const partnerEnvironment: PartnerEnvironment = {
  workers: 1,
  slot: 0,
  nowMs: () => performance.now(),
  takeTurn: atOnce,
  onCircuitState: () => {},
  onIgnoredParam: () => {},
};
