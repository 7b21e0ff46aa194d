/** Random valid bid requests: integration levels 1 to 4, sites and apps, every kind of privacy signal. */
import { pickPublisher } from './clients.ts';
import { type Placement, randomPlacement } from './placement.ts';
import type { Random } from './random.ts';

export type Level = 1 | 2 | 3 | 4;

export interface Body {
  id: string;
  imp: Placement['imp'][];
  [member: string]: unknown;
}

export interface BidRequest {
  level: Level;
  body: Body;
  placements: Placement[];
}

const pages = [
  { domain: 'outdoor.example', cat: ['483', '596'], keywords: 'hiking, camping, tent' },
  { domain: 'rider.example', cat: ['483'], keywords: 'Trail Running, running shoes , running shoes' },
  { domain: 'city.example', cat: ['1'], keywords: 'bike, commuting, bicycle' },
  { domain: 'sound.example', cat: ['632'], keywords: 'headphones, music' },
  { domain: 'news.example', cat: [] },
];
const userAgents = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
];
const locations = [
  { country: 'NLD', lat: 52.370216, lon: 4.895168 },
  { country: 'NOR', lat: 59.913868, lon: 10.752245 },
  { country: 'USA', lat: 40.7128, lon: -74.006 },
  { country: 'DEU' },
];
const privacySignals: { regs: object; consent?: string }[] = [
  { regs: { coppa: 0 } },
  { regs: { coppa: 1 } },
  { regs: { ext: { gdpr: 1 } }, consent: 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA' },
  { regs: { gdpr: 1 } },
  { regs: { ext: { us_privacy: '1---' } } },
  { regs: { ext: { us_privacy: '1YYN' } } },
  { regs: { gpp: 'DBABTA~1YNN', gpp_sid: [6] } },
];

export function randomBidRequest(random: Random, id: string): BidRequest {
  const level = random.pick<Level>([1, 1, 1, 2, 2, 3, 3, 4, 4, 4]);
  const declaresFormats = level === 2 || level === 4;
  const count = random.chance(0.75) ? 1 : random.integer(2, 4);
  const placements = Array.from({ length: count }, (_, index) =>
    randomPlacement(random, `slot-${index + 1}`, declaresFormats, level === 4),
  );
  const body: Body = {
    id,
    imp: placements.map(({ imp }) => imp),
    ...(random.chance(0.5) && { at: random.pick([1, 2]) }),
    ...(random.chance(0.6) && { tmax: random.pick([100, 250, 400, 600]) }),
    ...randomSource(random),
    device: randomDevice(random),
    ...(random.chance(0.85) && randomUserAndRegs(random)),
    ...(level >= 3 && { ext: { service: randomConversation(random) } }),
  };
  return { level, body, placements };
}

function randomSource(random: Random): object {
  const { domain, ...content } = random.pick(pages);
  const publisher = random.chance(0.9) ? { publisher: { id: pickPublisher(random) } } : {};
  return random.chance(0.7)
    ? { site: { id: `site-${domain.length}`, domain, page: `https://${domain}/ask`, ...content, ...publisher } }
    : { app: { id: 'app-1', bundle: `com.${domain.split('.')[0]}.app`, ...content, ...publisher } };
}

const randomDevice = (random: Random): object => ({
  ua: random.pick(userAgents),
  ip: `203.0.113.${random.integer(1, 254)}`,
  language: 'en',
  devicetype: random.integer(1, 7),
  geo: random.pick(locations),
});

const randomUserAndRegs = (random: Random): object => {
  const { regs, consent } = random.pick(privacySignals);
  const user = { id: `user-${random.integer(1, 9_999)}`, gender: random.pick(['M', 'F', 'O']) };
  return { user: consent === undefined ? user : { ...user, ext: { consent } }, regs };
};

const randomConversation = (random: Random): object => ({
  messageSequenceNumber: random.integer(1, 30),
  messageLength: random.integer(0, 400),
  isQuickReply: random.chance(0.3),
  sessionDurationMs: random.integer(0, 600_000),
  ...(random.chance(0.6) && { userThinkTimeMs: random.integer(0, 30_000) }),
  intent: {
    value: random.pick(['purchase_inquiry', 'information_seeking', 'comparison', 'something_else']),
    confidence: random.next(),
    topics: ['boots'],
    signals: [],
  },
  sentiment: { value: random.pick(['positive', 'neutral', 'negative']), score: random.next() * 2 - 1 },
  funnel: { stage: random.pick(['awareness', 'consideration', 'intent', 'conversion']), progress: random.next() },
  ...(random.chance(0.3) && { audience: { interests: ['hiking'], behaviors: ['reads_reviews'] } }),
});
