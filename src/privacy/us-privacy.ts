/** The US Privacy string: version 1, notice given, opted out of sale, covered by the LSPA. */

const usPrivacy = /^1[YN-]{3}$/i;

export const isUsPrivacy = (text: string): boolean => usPrivacy.test(text);

export const optsOutOfSale = (text: string): boolean => text[2] === 'Y' || text[2] === 'y';
