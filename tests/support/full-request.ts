/** A request with all fields of the specification, all extensions and both forms of native request. */

const assets = [
  { id: 1, required: 1, title: { len: 90 } },
  { id: 2, required: 1, img: { type: 3, w: 1200, h: 627, wmin: 300, hmin: 157, mimes: ['image/jpeg'] } },
  { id: 3, required: 0, data: { type: 1, len: 25 } },
  { id: 4, required: 0, data: { type: 2, len: 140 } },
  { id: 5, required: 0, data: { type: 12 } },
  { id: 6, required: 0, video: { mimes: ['video/mp4'], minduration: 5, maxduration: 30, protocols: [2, 3] } },
];

export const fullRequest = {
  id: 'request-1',
  imp: [
    {
      id: 'imp-1',
      native: {
        request: JSON.stringify({ native: { ver: '1.2', context: 2, plcmttype: 1, assets } }),
        ver: '1.2',
        api: [7],
        battr: [3, 12],
      },
      pmp: {
        private_auction: 0,
        deals: [
          { id: 'deal-1', bidfloor: 1.5, bidfloorcur: 'USD', at: 1, wseat: ['agency-1'], wadomain: ['shoes.example'] },
          { id: 'deal-2', bidfloor: 2, at: 3 },
        ],
      },
      bidfloor: 0.25,
      ext: {
        service: { adcpFormats: [{ agent_url: 'https://creative.example/', id: 'native_card' }] },
        service_product_search: { min_price: 20, max_price: 200, price_currency: 'EUR' },
      },
    },
    {
      id: 'imp-2',
      native: { request: JSON.stringify({ ver: '1.2', assets: [assets[0]] }) },
      video: { minduration: 5 },
    },
  ],
  at: 1,
  tmax: 400,
  cur: ['EUR', 'USD'],
  source: {
    fd: 0,
    ext: { schain: { ver: '1.0', complete: 1, nodes: [{ asi: 'reseller.example', sid: '7', hp: 1 }] } },
    schain: { ver: '1.0', complete: 1, nodes: [{ asi: 'reseller.example', sid: '7', hp: 1 }] },
  },
  bcat: ['IAB25', 'IAB7-39'],
  cattax: 1,
  badv: ['blocked.example', 'www.other.example'],
  bapp: ['com.blocked'],
  bseat: ['agency-9'],
  site: {
    id: 'site-1',
    name: 'The Daily Rider',
    domain: 'rider.example',
    cat: ['596', '483'],
    keywords: 'running shoes, trail running',
    publisher: { id: 'pub-1' },
  },
  device: {
    ua: 'Mozilla/5.0',
    ip: '203.0.113.7',
    language: 'en',
    devicetype: 4,
    geo: { lat: 52.370216, lon: 4.895168, country: 'NLD' },
  },
  user: {
    id: 'user-1',
    gender: 'O',
    data: [{ id: 'dmp', name: 'A provider', segment: [{ id: '1210' }] }],
    ext: { consent: 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA' },
  },
  regs: { ext: { gdpr: 1, us_privacy: '1YNN' }, coppa: 0, gpp: 'DBABTA~1YNN', gpp_sid: [6] },
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
