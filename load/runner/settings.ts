/** What each scenario needs of the exchange that is started for it. */

export const scenarios = ['smoke', 'steady', 'spike', 'limits', 'slow-partner', 'soak'] as const;
export type ScenarioName = (typeof scenarios)[number];

const own: Partial<Record<ScenarioName, Record<string, string>>> = {
  // For publishers a tenth of the default, so that two cores can exceed it at leisure.
  limits: { LIMIT_IP: '100', LIMIT_PUBLISHER: '100' },
  // 120 to 160 ms, around the soft budget of 150.
  'slow-partner': { SANDBOX_LATENCY_MS: '120', SANDBOX_LATENCY_SPREAD_MS: '40' },
};

export const isScenario = (name: string | undefined): name is ScenarioName =>
  (scenarios as readonly (string | undefined)[]).includes(name);

/** An empty DEMAND_FILE has it start its sandbox; the generator is the trusted proxy hop. */
export const exchangeSettings = (scenario: ScenarioName): Record<string, string> => ({
  DEMAND_FILE: '',
  TRUST_PROXY: 'loopback',
  ...own[scenario],
});
