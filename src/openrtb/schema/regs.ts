/** The specification's table Regs; the members beside `ext` are the OpenRTB 2.6 places of the same signals. */
import type { Regs } from '../bid-request.ts';
import { list } from './list.ts';
import { integer, object, oneOf, string, text } from './rules.ts';

const flag = () => integer().custom(oneOf(0, 1));
const usPrivacy = () => string().pattern(/^1[YN-]{3}$/i, '1 and three of Y, N and -');
const sections = () => list(integer());

export const regs = object<Regs>({
  ext: object({ gdpr: flag(), us_privacy: usPrivacy(), gpp: text(), gpp_sid: sections() }),
  gdpr: flag(),
  us_privacy: usPrivacy(),
  coppa: flag(),
  gpp: text(),
  gpp_sid: sections(),
});

/** The order of judgement inside `regs`: each 2.6 place right after its `ext` twin, which nested keys cannot say. */
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
