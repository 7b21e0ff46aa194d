/** Smoke: is every response correct, at a rate that any machine sustains? */
import { constantRateTest } from '../lib/scenario.ts';

export const { options, handleSummary } = constantRateTest('smoke', { rate: 50, seconds: 10 });
export { mixedTraffic, warmUp } from '../lib/send.ts';
