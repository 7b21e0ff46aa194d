/** The specification's table Regs, with the signals at their OpenRTB 2.6 paths (`regs.gdpr`) beside those in `regs.ext`. */
import type { Regs } from '../bid-request.ts';
import { usPrivacyString } from './formats.ts';
import { list } from './list.ts';
import { integer, object, oneOf, string, text } from './rules.ts';

const flag = () => integer().custom(oneOf(0, 1));
const usPrivacy = () => string().custom(usPrivacyString);
const sections = () => list(integer());

export const regs = object<Regs>({
  ext: object({ gdpr: flag(), us_privacy: usPrivacy(), gpp: text(), gpp_sid: sections() }),
  gdpr: flag(),
  us_privacy: usPrivacy(),
  coppa: flag(),
  gpp: text(),
  gpp_sid: sections(),
});

/** The order in which errors inside `regs` are reported: each 2.6 path right after its twin in `ext`. */
export const regsInOrder: readonly (readonly string[])[] = [
  ['ext', 'gdpr'],
  ['gdpr'],
  ['ext', 'us_privacy'],
  ['us_privacy'],
  ['coppa'],
  ['ext', 'gpp'],
  ['gpp'],
  ['ext', 'gpp_sid'],
  ['gpp_sid'],
];
