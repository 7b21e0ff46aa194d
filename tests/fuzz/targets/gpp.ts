/** GPP strings, read by the privacy decision: header, EU section and US sections. */
import { decidePrivacy, type PrivacyDecision } from '../../../src/privacy/privacy-decision.ts';
import { warningCodes } from '../../../src/privacy/warnings.ts';
import { BitWriter } from '../generate/bit-writer.ts';
import { mutateBytes } from '../generate/mutate-bytes.ts';
import type { Random } from '../generate/random.ts';
import { anyText, base64urlText } from '../generate/text.ts';
import { check, type FuzzTarget, linear, unmutated } from '../target.ts';
import { consentString, maxConsentLength } from './tcf.ts';

const usSections = [
  'CAAqAAAAAABA.QA',
  'CAAaAAAAAABA',
  'CAAmAAAAAABA.QA',
  'BAoAAABA.YA',
  'BAYAAABA.QA',
  'BQBA.AAA',
  '1YNN',
];
const corpus = [
  'DBAA',
  'DBABTA~1YNN',
  'DBABTA~1YYN',
  'DBABLA~CAAqAAAAAABA.QA',
  'DBABLA~CAAaAAAAAABA',
  'DBABBg~BAoAAABA.YA',
  'DBABSYA~BQBA.AAA',
  'DBABrw~CAAqAAAAAABA.QA~BAYAAABA.QA',
  'DBACMMA~CQNlwwAQNlwwAAfACBENCWEgAPIAAAAAABpYF5wBoAAgAEAAoAGgATABAALzAAAAAAAA~CAAaAAAAAABA',
].map((text) => Buffer.from(text));

const maxBytes = 64 * 1024;
const cacheEntries = 5_001;
/** Fibonacci numbers beyond the 90th have more than 64 bits. */
const maxPlace = 90;

const decide = (gpp: string, gdpr: 0 | 1): PrivacyDecision => decidePrivacy({ id: '1', imp: [], regs: { gpp, gdpr } });

export const target: FuzzTarget = {
  weight: 21,
  maxMicros: linear(1_500, 40),
  verdicts: ['no restriction', 'opted out', 'undecodable', 'empty'],
  generate: (random) => {
    const bytes = random.chance(0.3) ? random.pick(corpus) : Buffer.from(gppString(random));
    return random.chance(unmutated) ? bytes : mutateBytes(random, bytes, corpus, maxBytes);
  },
  start: () => ({
    run: (input) => judge(input.toString('latin1')),
    evictCaches: () => {
      for (let entry = 0; entry < cacheEntries; entry++) judge(`DBABDA~other${entry}`);
    },
  }),
};

function judge(text: string): string {
  const withoutGdpr = decide(text, 0);
  const withGdpr = decide(text, 1);
  checkDecision(text, withoutGdpr);
  checkDecision(text, withGdpr);
  check(withGdpr.redaction === withoutGdpr.redaction, 'consent changes what an opt-out requires');
  if (text === '') return 'empty';
  if (withoutGdpr.warnings.length > 0) return 'undecodable';
  return withoutGdpr.redaction === 'none' ? 'no restriction' : 'opted out';
}

function checkDecision(text: string, { redaction, warnings }: PrivacyDecision): void {
  check(redaction === 'none' || redaction === 'standard', `redaction ${redaction}`);
  check(warnings.length <= 2, `${warnings.length} warnings`);
  for (const { code, message } of warnings) {
    check(warningCodes.includes(code), `warning ${code}`);
    check(text.length <= 8 || !message.includes(text), 'a warning quotes the string');
  }
  if (text.length > maxConsentLength) check(redaction !== 'none', 'a string longer than 8192 characters is no opt-out');
}

function gppString(random: Random): string {
  if (random.chance(0.05)) return anyText(random, maxBytes);
  const bits = new BitWriter();
  bits.integer(random.chance(0.95) ? 3 : random.below(64), 6).integer(random.chance(0.95) ? 1 : random.below(64), 6);
  const ordinary = random.chance(0.7);
  const ids = ordinary ? random.between(1, 20) : random.length(100);
  bits.integer(random.chance(0.9) ? ids : random.below(4_096), 12);
  for (let left = ids; left > 0; left--) {
    const isRange = random.chance(ordinary ? 0.1 : 0.4);
    bits.integer(isRange ? 1 : 0, 1).fibonacciCode(distance(random, ordinary));
    if (isRange) bits.fibonacciCode(distance(random, ordinary));
  }
  const header = bits.toString();
  const sections = random.chance(0.8) ? ids : random.below(80);
  const texts = Array.from({ length: sections }, () => section(random));
  if (random.chance(0.3) && texts.length > 0) texts[0] = consentString(random);
  return [header, ...texts].join('~');
}

/** The places of the ones of a Fibonacci code: small numbers, or sums of a few huge ones. */
function distance(random: Random, ordinary: boolean): number[] {
  if (ordinary) return [random.below(3)];
  return Array.from({ length: random.between(1, 3) }, () => random.below(random.pick([4, 8, 20, 80, maxPlace])));
}

function section(random: Random): string {
  switch (random.below(5)) {
    case 0:
      return base64urlText(random, random.length(100));
    default:
      return random.pick(usSections);
  }
}
