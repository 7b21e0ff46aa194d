/** GPP headers whose Fibonacci-coded section ids and ranges exceed every section, and the integers of a double. */
import { seededRandom } from '../../lib/random.ts';
import { type Attack, sendAtAllowedRate } from '../attack.ts';
import { bidRequest } from '../traffic/bid-request.ts';
import { gppHeader } from '../traffic/gpp.ts';
import { post } from '../traffic/http-request.ts';

const random = seededRandom(1);
const zeros = (count: number): string => '0'.repeat(count);

/** From 2^53 on, adding one to a double changes nothing. The header has room for codes of 500 bits. */
const hugeCode = (): string => `${zeros(random.integer(76, 200))}${random.pick(['11', '1011', '01011', '10101011'])}`;
const smallCode = (): string => random.pick(['11', '011', '0011', '1011', '00011']);

const headers: (() => string)[] = [
  () => gppHeader([`0${hugeCode()}`]),
  () => gppHeader([`1${smallCode()}${hugeCode()}`]),
  () => gppHeader([`1${hugeCode()}${smallCode()}`]),
  () => gppHeader([`0${smallCode()}`, `0${hugeCode()}`, `1${hugeCode()}${hugeCode()}`]),
  () => gppHeader([`0${zeros(400)}`], 4_095),
  () => gppHeader(Array.from({ length: 60 }, () => `1${smallCode()}${smallCode()}`)),
];

export const gppSectionIds: Attack = {
  name: 'gpp-section-ids',
  title: 'GPP headers with section ids of 2^53 and more, endless ranges, missing codes',
  addresses: 1,
  start: (context) =>
    sendAtAllowedRate(context, (index) => {
      const gpp = `${headers[index % headers.length]!()}~x`;
      const regs = index % 2 === 0 ? { gpp } : { ext: { gpp, gpp_sid: [7] } };
      return post(JSON.stringify(bidRequest('gpp-ids', { regs })));
    }),
};
