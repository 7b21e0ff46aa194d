/** Valid bid requests of the integration levels 1 to 4, for sites and apps, with privacy signals of every kind. */
import { publisherOf } from './crowd.ts';
import type { Draw } from './draw.ts';
import { drawPlacement, type Placement } from './placement.ts';

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
const agents = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
];
const places = [
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

export function drawBidRequest(draw: Draw, id: string): BidRequest {
  const level = draw.from<Level>([1, 1, 1, 2, 2, 3, 3, 4, 4, 4]);
  const declares = level === 2 || level === 4;
  const count = draw.happens(0.75) ? 1 : draw.integer(2, 4);
  const placements = Array.from({ length: count }, (_, at) =>
    drawPlacement(draw, `slot-${at + 1}`, declares, level === 4),
  );
  const body: Body = {
    id,
    imp: placements.map(({ imp }) => imp),
    ...(draw.happens(0.5) && { at: draw.from([1, 2]) }),
    ...(draw.happens(0.6) && { tmax: draw.from([100, 250, 400, 600]) }),
    ...drawSource(draw),
    device: drawDevice(draw),
    ...(draw.happens(0.85) && drawUserAndRegs(draw)),
    ...(level >= 3 && { ext: { service: drawConversation(draw) } }),
  };
  return { level, body, placements };
}

function drawSource(draw: Draw): object {
  const { domain, ...subject } = draw.from(pages);
  const publisher = draw.happens(0.9) ? { publisher: { id: publisherOf(draw) } } : {};
  return draw.happens(0.7)
    ? { site: { id: `site-${domain.length}`, domain, page: `https://${domain}/ask`, ...subject, ...publisher } }
    : { app: { id: 'app-1', bundle: `com.${domain.split('.')[0]}.app`, ...subject, ...publisher } };
}

const drawDevice = (draw: Draw): object => ({
  ua: draw.from(agents),
  ip: `203.0.113.${draw.integer(1, 254)}`,
  language: 'en',
  devicetype: draw.integer(1, 7),
  geo: draw.from(places),
});

const drawUserAndRegs = (draw: Draw): object => {
  const { regs, consent } = draw.from(privacySignals);
  const user = { id: `user-${draw.integer(1, 9_999)}`, gender: draw.from(['M', 'F', 'O']) };
  return { user: consent === undefined ? user : { ...user, ext: { consent } }, regs };
};

const drawConversation = (draw: Draw): object => ({
  messageSequenceNumber: draw.integer(1, 30),
  messageLength: draw.integer(0, 400),
  isQuickReply: draw.happens(0.3),
  sessionDurationMs: draw.integer(0, 600_000),
  ...(draw.happens(0.6) && { userThinkTimeMs: draw.integer(0, 30_000) }),
  intent: {
    value: draw.from(['purchase_inquiry', 'information_seeking', 'comparison', 'something_else']),
    confidence: draw.share(),
    topics: ['boots'],
    signals: [],
  },
  sentiment: { value: draw.from(['positive', 'neutral', 'negative']), score: draw.share() * 2 - 1 },
  funnel: { stage: draw.from(['awareness', 'consideration', 'intent', 'conversion']), progress: draw.share() },
  ...(draw.happens(0.3) && { audience: { interests: ['hiking'], behaviors: ['reads_reviews'] } }),
});
