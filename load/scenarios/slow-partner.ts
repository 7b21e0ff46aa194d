/** Slow partner: if demand responds around the soft timeout, is the p99 target met, and does every request get its bid? */
import { constantRateTest, p99TargetOnly } from '../lib/scenario.ts';

export const { options, handleSummary } = constantRateTest('slow', { rate: 100, seconds: 20 }, p99TargetOnly);
export { mixedTraffic, warmUp } from '../lib/send.ts';
