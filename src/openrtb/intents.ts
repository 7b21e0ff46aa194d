/** The intents that carry a signal. A request may have any other; it matches no campaign. */
export const intents = [
  'purchase_inquiry',
  'information_seeking',
  'support_request',
  'comparison',
  'objection_handling',
];
