/** The IAB's US Privacy string, version 1: one character each for notice given, opted out of sale, covered by the LSPA. In any case. */
export const usPrivacyPattern = /^1[YN-]{3}$/i;
