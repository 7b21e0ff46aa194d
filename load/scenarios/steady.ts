/** Steady: are the latency targets met at a rate that two cores sustain together with k6 and the sandbox demand? */
import { constantRateTest } from '../lib/scenario.ts';

export const { options, handleSummary } = constantRateTest('steady', { rate: 200, seconds: 30 });
export { mixedTraffic, warmUp } from '../lib/send.ts';
