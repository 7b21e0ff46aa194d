/** The requests and responses that the audit starts from. Every member in them is audited, and so is every field of the schemas. */
import type { UncheckedBid } from '../../src/demand/adapter.ts';

/** Constant, so that a partner's response can be prepared before the request that it responds to. */
const requestId = 'audit';

const nativeRequest = {
  ver: '1.2',
  context: 2,
  plcmttype: 4,
  assets: [
    { id: 1, required: 1, title: { len: 90 } },
    { id: 2, required: 0, img: { type: 3, w: 1200, h: 627, wmin: 300, hmin: 157, mimes: ['image/jpeg'] } },
    { id: 3, required: 0, data: { type: 2, len: 140 } },
    { id: 4, required: 0, video: { w: 640, h: 360, minduration: 5, maxduration: 30, mimes: ['video/mp4'] } },
  ],
  eventtrackers: [{ event: 1, methods: [1, 2] }],
};

const imp = {
  id: '1',
  native: { request: JSON.stringify({ native: nativeRequest }), ver: '1.2', api: [7], battr: [3] },
  pmp: {
    private_auction: 0,
    deals: [
      { id: 'deal-1', bidfloor: 1.5, bidfloorcur: 'USD', at: 1, wseat: ['seat-1'], wadomain: ['shoes.example'] },
      { id: 'deal-2', bidfloor: 2, at: 3 },
    ],
  },
  secure: 1,
  video: { minduration: 5, maxduration: 30 },
  bidfloor: 0.25,
  bidfloorcur: 'USD',
  ext: {
    service: { adcpFormats: [{ agent_url: 'https://creative.example/', id: 'native_card' }] },
    service_product_search: { min_price: 20, max_price: 200, price_currency: 'EUR' },
  },
};

const eids = [{ source: 'id.example', uids: [{ id: 'uid-1' }] }];
const inventory = {
  ext: { eids },
  id: 'site-1',
  cat: ['596', '483'],
  keywords: 'trail running, rain jackets',
  kwarray: ['trail running', 'rain jackets'],
  publisher: { id: 'pub-1' },
};

const siteRequest = {
  id: requestId,
  imp: [imp],
  at: 1,
  bcat: ['IAB25', 'IAB7-39'],
  cattax: 1,
  badv: ['blocked.example', 'www.other.example'],
  bapp: ['com.blocked'],
  bseat: ['seat-9'],
  site: {
    ...inventory,
    name: 'The Daily Rider',
    domain: 'rider.example',
    page: 'https://rider.example/trail?from=home',
    ref: 'https://search.example/?q=trail',
  },
  device: {
    ua: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ip: '203.0.113.7',
    ipv6: '2001:db8::7',
    language: 'en',
    devicetype: 4,
    geo: { lat: 52.370216, lon: 4.895168, country: 'NLD' },
    lmt: 0,
    dnt: 0,
  },
  user: {
    id: 'user-1',
    gender: 'O',
    data: [{ id: 'dmp', name: 'A provider', segment: [{ id: '1210', name: 'Runners', value: 0.7 }] }],
    ext: { consent: 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA' },
  },
  regs: { ext: { gdpr: 1, us_privacy: '1YNN', gpp: 'DBABTA~1YNN', gpc: '0', dsa: { dsarequired: 1 } }, coppa: 0 },
  source: { tid: 'tid-1' },
  ext: {
    service: {
      messageSequenceNumber: 3,
      messageLength: 42,
      isQuickReply: false,
      userThinkTimeMs: 5200,
      sessionDurationMs: 61000,
      intent: { value: 'comparison', confidence: 0.8, topics: ['shoes'], signals: ['asked-for-prices'] },
      sentiment: { value: 'positive', score: 0.6 },
      funnel: { stage: 'consideration', progress: 0.5 },
      audience: { interests: ['running'], behaviors: ['compares'] },
    },
  },
};

const { site: _site, ...withoutSite } = siteRequest;
const appRequest = { ...withoutSite, app: { ...inventory, id: 'app-1', bundle: 'com.rider.daily' } };

/** Each has every member that the others do not exclude. */
export const sampleRequests: readonly object[] = [siteRequest, appRequest];

/** Each price filter is a call of its own to a product partner: as many as a request has impressions. */
export const severalCallsRequest = {
  ...siteRequest,
  imp: Array.from({ length: 10 }, (_, index) => ({
    ...imp,
    id: String(index + 1),
    ext: { service_product_search: { min_price: index } },
  })),
};

const geo = { ...siteRequest.device.geo, region: 'NH', type: 2, city: 'Amsterdam', zip: '1012', metro: '1' };
const fullGeo = { ...geo, accuracy: 10, lastfix: 5, ipservice: 3, ext: { source: 'gps' } };

/** The user opted out: all members that redaction reads go through it. */
export const redactedRequest = {
  ...siteRequest,
  regs: { us_privacy: '1YYN' },
  user: {
    ...siteRequest.user,
    buyeruid: 'buyer-1',
    yob: 1980,
    keywords: 'runner',
    kwarray: ['runner'],
    customdata: 'custom-1',
    eids,
    geo: fullGeo,
    ext: { eids },
  },
  device: {
    ...siteRequest.device,
    ifa: 'ifa-1',
    didsha1: 'a1',
    didmd5: 'a2',
    dpidsha1: 'a3',
    dpidmd5: 'a4',
    macsha1: 'a5',
    macmd5: 'a6',
    geo: fullGeo,
    ext: { ifv: 'ifv-1', eids },
  },
  source: { ...siteRequest.source, eids, ext: { eids } },
  ext: { ...siteRequest.ext, eids },
};
/** The members of a request that redaction reads. */
export const redactedMembers: readonly string[] = ['user', 'device', 'site', 'source', 'ext'];

const nativeResponse = {
  ver: '1.2',
  assets: [
    {
      id: 1,
      required: 1,
      title: { text: 'Shoes for every trail' },
      link: {
        url: 'https://shoes.example/trail',
        clicktrackers: ['https://t.example/title'],
        fallback: 'https://shoes.example/',
      },
    },
    { id: 2, img: { url: 'https://cdn.example/1.jpg', w: 1200, h: 627, type: 3 } },
    { id: 3, data: { value: 'Light, dry and made to be repaired.', type: 2 } },
    { id: 4, video: { vasttag: '<VAST version="4.0"></VAST>' } },
  ],
  link: {
    url: 'https://shoes.example/trail',
    clicktrackers: ['https://t.example/click'],
    fallback: 'https://shoes.example/',
  },
  eventtrackers: [{ event: 1, method: 1, url: 'https://t.example/view', customdata: { placement: 'top' } }],
  imptrackers: ['https://t.example/pixel'],
  jstracker: '<script src="https://t.example/t.js"></script>',
  privacy: 'https://shoes.example/privacy',
};

/** The type requires a sample of every member that the auction reads. */
type BidMembers = Record<Exclude<keyof UncheckedBid, 'trustedAdm' | 'currency' | 'buyerSeat'>, unknown>;

const bid = {
  id: 'bid-1',
  impid: '1',
  price: 2.5,
  adm: JSON.stringify(nativeResponse),
  nurl: 'https://win.example/?p=${AUCTION_PRICE}',
  burl: 'https://bill.example/?p=${AUCTION_PRICE}',
  lurl: 'https://loss.example/?r=${AUCTION_LOSS}',
  adomain: ['shoes.example'],
  crid: 'creative-1',
  cid: 'campaign-1',
  cat: ['596'],
  cattax: 1,
  attr: [1],
  bundle: 'com.shoes',
  language: 'en',
  dealid: 'deal-1',
  mtype: 4,
  exp: 300,
  ext: { dsa: { behalf: 'Shoes', paid: 'Shoes' } },
} satisfies BidMembers & Record<string, unknown>;

export const sampleBidResponse = {
  id: requestId,
  bidid: 'response-1',
  cur: 'USD',
  seatbid: [{ seat: 'seat-1', group: 0, bid: [bid] }],
};

/** Native 1.0 has the root key `native`. */
const wrappedBidResponse = {
  ...sampleBidResponse,
  seatbid: [{ bid: [{ ...bid, adm: JSON.stringify({ native: {} }) }] }],
};
export const sampleBidResponses: readonly object[] = [sampleBidResponse, wrappedBidResponse];

export const sampleProducts = {
  products: [
    {
      id: 'product-1',
      title: 'Trail shoe',
      url: 'https://shop.example/trail-shoe',
      cpm: 1.9,
      description: 'Light, dry and made to be repaired rather than replaced.',
      brand: 'Rider',
      price: 129,
      currency: 'EUR',
      imageUrl: 'https://shop.example/trail-shoe.jpg',
      imageWidth: 1200,
      imageHeight: 627,
      advertiserDomain: 'shop.example',
    },
  ],
};

/** Sandbox-like campaigns: some target what the sample requests have, some do not. */
export const houseCampaigns = [
  { id: 'trail', cpm: 2.1, target: { keywords: ['trail running'], countries: ['NLD'] } },
  { id: 'card', cpm: 1.7, target: { formats: [{ agent_url: 'https://creative.example/', id: 'native_card' }] } },
  { id: 'reader', cpm: 1.5, target: { categories: ['596'], intents: ['comparison'], sentiments: ['positive'] } },
  { id: 'ski', cpm: 3.2, target: { keywords: ['ski touring'] } },
].map((campaign) => ({
  landing: `https://${campaign.id}.example/offer`,
  adomain: [`${campaign.id}.example`],
  title: `What ${campaign.id} has for a day in the rain`,
  description: 'Light, dry and made to be repaired rather than replaced.',
  image: { url: `https://${campaign.id}.example/card.jpg`, w: 1200, h: 627 },
  ...campaign,
}));
