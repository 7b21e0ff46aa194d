/** Soak: do latency or memory degrade within ten minutes? The report includes resident memory. */
import { constantRateTest } from '../lib/scenario.ts';

export const { options, handleSummary } = constantRateTest('soak', { rate: 100, seconds: 600 });
export { mixedTraffic, warmUp } from '../lib/send.ts';
