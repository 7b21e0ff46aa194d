/** Three partners over HTTP for the benchmarks. */
import type { Sandbox } from '../machine/start.ts';

/** As long as the `tmax` of the requests: like the baselines, the exchange waits for all partners. */
export const waitForAll = { TIMEOUT_MS: '400', SOFT_TIMEOUT_MS: '400' };

/** The sandbox has two OpenRTB bidders in dollars; the first serves as the third partner too. */
export const endpointsOf = ({ endpoints }: Sandbox): string[] => [...endpoints, `${endpoints[0]}?again`];

export const threePartners = (sandbox: Sandbox): object => ({
  partners: endpointsOf(sandbox).map((endpoint, index) => ({ name: `partner-${index}`, adapter: 'openrtb', endpoint })),
});
