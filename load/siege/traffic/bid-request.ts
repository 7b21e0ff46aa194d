/** The bid requests of the siege: the ordinary client's, and the valid requests that attacks are hidden in. */

export const impId = 'slot-1';

/** What the steady partner's bid serves. */
export const ordinaryNative = nativeRequest([
  { id: 1, required: 1, title: { len: 90 } },
  { id: 2, required: 1, img: { type: 3, wmin: 300, hmin: 157 } },
  { id: 3, required: 0, data: { type: 1, len: 25 } },
]);

/** The text of a native request; `rest` adds members such as event trackers. */
export function nativeRequest(assets: readonly object[], rest: object = {}): string {
  return JSON.stringify({ native: { ver: '1.2', context: 2, plcmttype: 4, assets, ...rest } });
}

export const impression = (native: string, ext: object = {}) => ({
  id: impId,
  native: { request: native, ver: '1.2' },
  bidfloor: 0.4,
  ext,
});

/** Members of `changes` replace those of a valid request. */
export const bidRequest = (publisher: string, changes: object = {}) => ({
  id: `siege-${publisher}`,
  at: 1,
  tmax: 400,
  imp: [impression(ordinaryNative)],
  site: site(publisher),
  device: {
    ua: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ip: '198.51.100.24',
    language: 'en',
    geo: { lat: 47.606209, lon: -122.332069, country: 'USA' },
  },
  user: { id: 'visitor-1', gender: 'O' },
  regs: { coppa: 0, ext: { gdpr: 0, us_privacy: '1YNN' } },
  ...changes,
});

export const site = (publisher: string, changes: object = {}) => ({
  id: 'site-harbour-guide',
  name: 'The Harbour Guide',
  domain: 'harbourguide.example',
  keywords: 'trail running, rain jackets, hiking',
  publisher: { id: publisher },
  ...changes,
});

const publishers = 20;
const topics = ['trail running', 'rain jackets', 'hiking', 'ski touring', 'camping', 'tents', 'boots', 'maps'];

/** Ordinary requests differ in id, user, publisher and keywords. */
export const ordinaryBody = (index: number): string =>
  JSON.stringify(
    bidRequest(`pub-${index % publishers}`, {
      id: `ordinary-${index}`,
      site: site(`pub-${index % publishers}`, {
        keywords: [0, 1, 2].map((offset) => topics[(index + offset) % topics.length]).join(', '),
      }),
      user: { id: `visitor-${index}`, gender: 'O' },
      ext: {
        service: {
          messageSequenceNumber: 4,
          messageLength: 86,
          isQuickReply: false,
          sessionDurationMs: 93_000,
          intent: { value: 'purchase_inquiry', confidence: 0.87, topics: ['rain jackets'], signals: [] },
          sentiment: { value: 'positive', score: 0.4 },
          funnel: { stage: 'consideration', progress: 0.55 },
        },
      },
    }),
  );
