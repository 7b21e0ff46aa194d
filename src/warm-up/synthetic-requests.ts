/** The requests of the warm-up: small and large ones, with and without an error, as callers send them. */

const assets = [
  { id: 1, required: 1, title: { len: 90 } },
  { id: 2, required: 1, img: { type: 3, w: 1200, h: 627, wmin: 300, hmin: 157 } },
  { id: 3, data: { type: 1, len: 25 } },
  { id: 4, data: { type: 2, len: 140 } },
];

const nativeRequest = JSON.stringify({ native: { ver: '1.2', context: 2, plcmttype: 1, assets } });

/** The synthetic partner bids for this impression of this request. */
export const requestId = 'warm-up';
export const impressionId = '1';

const minimal = {
  id: requestId,
  imp: [{ id: impressionId, native: { request: nativeRequest, ver: '1.2' } }],
  site: { domain: 'warm-up.example', publisher: { id: 'warm-up' } },
};

/** All signals of the highest integration level, seller controls, a deal, and consent under GDPR. */
const full = {
  ...minimal,
  imp: [
    {
      id: impressionId,
      native: { request: nativeRequest, ver: '1.2', api: [7], battr: [3] },
      bidfloor: 0.25,
      pmp: { private_auction: 0, deals: [{ id: 'deal', bidfloor: 1.5, at: 1 }] },
      ext: {
        service: { adcpFormats: [{ agent_url: 'https://creative.example/', id: 'native_card' }] },
        service_product_search: { min_price: 20, max_price: 200, price_currency: 'EUR' },
      },
    },
  ],
  at: 2,
  tmax: 400,
  cur: ['USD'],
  source: { schain: { ver: '1.0', complete: 1, nodes: [{ asi: 'reseller.example', sid: '7', hp: 1 }] } },
  bcat: ['IAB25'],
  badv: ['blocked.example'],
  bapp: ['com.blocked'],
  bseat: ['blocked'],
  site: { ...minimal.site, name: 'Warm-up', cat: ['596'], keywords: 'running shoes, trail running' },
  device: { ua: 'Mozilla/5.0', ip: '192.0.2.1', language: 'en', geo: { lat: 52.37, lon: 4.89, country: 'NLD' } },
  user: { id: 'warm-up', ext: { consent: 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA' } },
  regs: { gdpr: 1, us_privacy: '1YNN', coppa: 0 },
  ext: {
    service: {
      messageSequenceNumber: 3,
      messageLength: 42,
      isQuickReply: false,
      userThinkTimeMs: 5_200,
      sessionDurationMs: 61_000,
      intent: { value: 'comparison', confidence: 0.8, topics: ['shoes'], signals: ['asked-for-prices'] },
      sentiment: { value: 'positive', score: 0.6 },
      funnel: { stage: 'consideration', progress: 0.5 },
      audience: { interests: ['running'], behaviors: ['compares'] },
    },
  },
};

/** Other privacy signals and a native request with event trackers, for an app. */
const { site, ...minimalApp } = minimal;
const app = {
  ...minimalApp,
  imp: [{ id: impressionId, native: { request: toNativeRequest([{ event: 1, methods: [1, 2] }]) }, secure: 1 }],
  app: { bundle: 'com.warm-up', keywords: 'hiking', publisher: site.publisher },
  device: { ua: 'Mozilla/5.0', ip: '192.0.2.1', lmt: 1 },
  regs: { gpp: 'DBABLA~CAAaAAAAAABA.QA', gpp_sid: [7] },
};

/** Long enough to wait for its turn. */
const large = {
  ...minimal,
  ext: { padding: Array.from({ length: 1_000 }, (_, id) => ({ id, name: 'A long list of objects' })) },
};

/** In the order in which they are sent, again and again. */
export const syntheticRequests: readonly Buffer[] = [
  post(minimal),
  post(full),
  post({ ...minimal, tmax: 1 }),
  post(minimal),
  post(app),
  post('{'),
  post(full),
  inChunks(minimal),
  post({ ...minimal, id: 1 }),
  post(app),
  post(full, '/unknown'),
  post(minimal),
  post({ ...full, imp: [{ id: impressionId }] }),
  post(full),
  post(large),
  toHttp('GET /openrtb2', [], ''),
];

function toNativeRequest(eventtrackers: object[]): string {
  return JSON.stringify({ ver: '1.2', assets, eventtrackers });
}

function post(body: object | string, path = '/openrtb2'): Buffer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return toHttp(`POST ${path}`, [`Content-Length: ${Buffer.byteLength(text)}`], text);
}

function inChunks(bidRequest: object): Buffer {
  const chunks = JSON.stringify(bidRequest).replaceAll(
    /.{1,100}/g,
    (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`,
  );
  return toHttp('POST /openrtb2', ['Transfer-Encoding: chunked'], `${chunks}0\r\n\r\n`);
}

function toHttp(start: string, headers: readonly string[], body: string): Buffer {
  const head = [
    `${start} HTTP/1.1`,
    'Host: warm-up.example',
    'Content-Type: application/json',
    'X-OpenRTB-Version: 2.6',
    'X-Forwarded-For: 192.0.2.1',
    ...headers,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}
