/** US Privacy strings: the rule of the schema, the privacy decision and the US Privacy section of a GPP string. */
import type { BidRequest } from '../../../src/openrtb/bid-request.ts';
import { validateBidRequest } from '../../../src/openrtb/validate-bid-request.ts';
import { decidePrivacy } from '../../../src/privacy/privacy-decision.ts';
import { titleRequest } from '../../support/auction-exchange.ts';
import { mutateBytes } from '../generate/mutate-bytes.ts';
import { anyText } from '../generate/text.ts';
import { checkError } from '../oracle.ts';
import { check, type FuzzTarget, linear, unmutated } from '../target.ts';

const corpus = ['1YNN', '1YYN', '1---', '1NNY', '1yyn', '1nYy', '1Y-N'].map((text) => Buffer.from(text));
const maxBytes = 32 * 1024;
const cacheEntries = 5_001;
/** A GPP header that lists section 6 only. */
const gppHeader = 'DBABTA';

export const target: FuzzTarget = {
  weight: 6,
  maxMicros: linear(1_500, 40),
  verdicts: ['opted out', 'not opted out', 'invalid'],
  generate: (random) => {
    const bytes = random.chance(0.9) ? random.pick(corpus) : Buffer.from(anyText(random, maxBytes));
    return random.chance(unmutated) ? bytes : mutateBytes(random, bytes, corpus, maxBytes);
  },
  start: () => ({
    run: (input) => judge(input.toString()),
    evictCaches: () => {
      for (let entry = 0; entry < cacheEntries; entry++) decidePrivacy(withGpp(`other${entry}`));
    },
  }),
};

const withGpp = (section: string): BidRequest => ({ id: '1', imp: [], regs: { gpp: `${gppHeader}~${section}` } });

function judge(text: string): string {
  const isValid = /^1[yn-]{3}$/i.test(text);
  const inPlaces = [{ us_privacy: text }, { ext: { us_privacy: text } }];
  const validations = inPlaces.map((regs) => validateBidRequest(titleRequest({ regs })));
  for (const validation of validations) {
    check(validation.valid === isValid, `the schema ${validation.valid ? 'accepts' : 'rejects'} a string`);
    if (!validation.valid) checkError(validation.error);
  }
  checkGppSection(text, isValid);
  const [first] = validations;
  if (!first!.valid) return 'invalid';
  const { redaction } = decidePrivacy(first!.request.bidRequest);
  check((redaction === 'standard') === (text[2]!.toUpperCase() === 'Y'), `redaction ${redaction} for a valid string`);
  return redaction === 'standard' ? 'opted out' : 'not opted out';
}

/** An invalid section is treated as an opt-out. */
function checkGppSection(text: string, isValid: boolean): void {
  const { redaction } = decidePrivacy(withGpp(text));
  const mayPass = isValid && text[2]!.toUpperCase() !== 'Y';
  check((redaction === 'none') === mayPass, `redaction ${redaction} for a GPP string with the section`);
}
