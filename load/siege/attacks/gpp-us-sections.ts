/** GPP strings with US sections that never repeat, so that no cache of decoded strings helps. */
import { seededRandom } from '../../lib/random.ts';
import { type Attack, sendAtAllowedRate } from '../attack.ts';
import { bidRequest } from '../traffic/bid-request.ts';
import { fibonacciCode, gppHeader, randomText } from '../traffic/gpp.ts';
import { post } from '../traffic/http-request.ts';

const random = seededRandom(2);

/** US national and the states: the ids 7 to 21. */
const firstSection = 7;
const allSections = 15;

/** The ids follow each other: the first is coded as itself, the others as a distance of one. */
const headerOf = (sections: number): string =>
  gppHeader(Array.from({ length: sections }, (_, index) => `0${fibonacciCode(index === 0 ? firstSection : 1)}`));

const headers = [headerOf(1), headerOf(4), headerOf(allSections)];

/** `B` is version 1. Subsections, which carry GPC, follow a dot. */
const section = (): string => `B${randomText(random.integer(8, 24), random)}${random.pick(['', '.QA', '.YA'])}`;

function gppString(index: number): string {
  const at = index % headers.length;
  const sections = [1, 4, allSections][at]!;
  return [headers[at]!, ...Array.from({ length: sections }, section)].join('~');
}

export const gppUsSections: Attack = {
  name: 'gpp-us-sections',
  title: 'GPP strings with 1 to 15 US sections, no string twice',
  addresses: 1,
  start: (context) =>
    sendAtAllowedRate(context, (index) =>
      post(JSON.stringify(bidRequest('gpp-us', { regs: { gpp: gppString(index), gpp_sid: [7, 8, 9] } }))),
    ),
};
