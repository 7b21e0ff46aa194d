/** Auctions over real sockets, with partners that misbehave. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { createAuctionExchange, titleRequest } from '../support/auction-exchange.ts';
import {
  bidResponse,
  bids,
  hangs,
  type Script,
  type ScriptedPartner,
  send,
  startPartner,
} from '../support/scripted-partner.ts';
import { startRawPartner } from '../support/raw-partner.ts';
import { until } from '../support/until.ts';

const started: ScriptedPartner[] = [];
afterEach(() => {
  for (const partner of started.splice(0)) partner.close();
});

async function partner(script: Script): Promise<ScriptedPartner> {
  const one = await startPartner(script);
  started.push(one);
  return one;
}

/** One partner that bids 1 dollar, and one that follows the script. */
async function withGood(script: Script, settings: object = {}, nowMs?: () => number) {
  const good = await partner(bids(1));
  const other = await partner(script);
  const partners = [
    { name: 'good', endpoint: good.url },
    { name: 'other', endpoint: other.url, ...settings },
  ];
  return { ...createAuctionExchange(partners, {}, undefined, nowMs), good, other };
}

/** Only a partner that follows the script: every call is waited for. The clock stands. */
async function alone(script: Script) {
  const other = await partner(script);
  return { ...createAuctionExchange([{ name: 'other', endpoint: other.url }], {}, undefined, () => 0), other };
}

const blanks = (bytes: number) => ' '.repeat(bytes);
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const json = (request: Parameters<Script>[1], price: number) => JSON.stringify(bidResponse(request, price));
const gzip = { 'content-encoding': 'gzip' };

const misbehaviours: Record<string, [script: Script, result: string, dropped?: string[]]> = {
  'sends 204': [(response) => void response.writeHead(204).end(), 'no_bid'],
  'sends an empty seatbid': [(response, { id }) => send(response, JSON.stringify({ id, seatbid: [] })), 'no_bid'],
  hangs: [hangs, 'late'],
  'resets the connection': [(response) => response.socket!.destroy(), 'error'],
  fails: [(response) => void response.writeHead(500).end('{}'), 'error'],
  redirects: [(response) => void response.writeHead(302, { location: '/elsewhere' }).end(), 'error'],
  'sends no JSON': [(response) => send(response, '{"id":'), 'invalid'],
  'sends nothing': [(response) => send(response, ''), 'invalid'],
  'sends an array': [(response) => send(response, '[]'), 'invalid'],
  'responds with another id': [(response, r) => send(response, json({ ...r, id: 'other' }, 9)), 'invalid'],
  'sends 5 MB': [(response, r) => send(response, json(r, 9) + blanks(5_000_000)), 'invalid'],
  'sends a byte over a megabyte': [(response, r) => send(response, json(r, 9).padEnd(1_048_577)), 'invalid'],
  'sends too much compressed with gzip': [
    (response, r) => send(response, gzipSync(json(r, 9) + blanks(2_000_000)), gzip),
    'invalid',
  ],
  'declares gzip but sends plain JSON': [(response, r) => send(response, json(r, 9), gzip), 'invalid'],
  'nests its JSON too deeply': [(response, r) => send(response, `{"id":"${r.id}","ext":${nested(10_000)}}`), 'invalid'],
  'nests a long response too deeply': [
    (response, r) => send(response, `{"id":"${r.id}","ext":${nested(100_000)}}`),
    'invalid',
  ],
  'sends more than 12,500 objects and arrays': [
    (response, r) => send(response, json(r, 9).replace('{', `{"ext":[${'{},'.repeat(12_500)}{}],`)),
    'invalid',
  ],
  'sends more than 50,000 values': [
    (response, r) => send(response, json(r, 9).replace('{', `{"ext":[${'1,'.repeat(50_000)}1],`)),
    'invalid',
  ],
  'bids on an unknown impression': [
    (response, r) => send(response, json({ ...r, imp: [{ id: 'x' }] }, 9)),
    'bid',
    ['other unknown_imp'],
  ],
  'bids a price in quotes': [bids('9' as never), 'bid', ['other invalid_price']],
  'bids without markup': [bids(9, { adm: undefined }), 'bid', ['other no_adm']],
  'bids with markup that is not native': [bids(9, { adm: '<div>' }), 'bid', ['other invalid_native']],
  'bids in euros': [
    (response, r) => send(response, JSON.stringify({ ...bidResponse(r, 9), cur: 'EUR' })),
    'bid',
    ['other currency'],
  ],
};

describe('a partner that', () => {
  test.each(Object.entries(misbehaviours))(
    '%s does not affect other partners',
    async (_what, [script, result, dropped = []]) => {
      const { handle, results, bids: counted } = await withGood(script);
      expect(await handle(titleRequest())).toMatchObject({ kind: 'bid', response: { seatbid: [{ seat: 'good' }] } });
      expect(results.sort()).toEqual(['good bid', `other ${result}`]);
      expect(counted.sort()).toEqual(['good won', ...dropped]);
    },
  );

  const inPieces: Script = (response, request) => {
    response.writeHead(200);
    for (const character of json(request, 9)) response.write(character);
    response.end();
  };

  test.each<[string, Script]>([
    ['sends a megabyte', (response, r) => send(response, json(r, 9).padEnd(1_048_576))],
    [
      'sends 9,000 objects with 40,000 values',
      (response, r) => send(response, json(r, 9).replace('{', `{"ext":[${'{"a":1,"b":2,"c":3},'.repeat(9_000)}1],`)),
    ],
    ['sends gzip', (response, r) => send(response, gzipSync(json(r, 9)), gzip)],
    ['sends JSON as text/plain', (response, r) => send(response, json(r, 9), { 'content-type': 'text/plain' })],
    ['sends its response in pieces', inPieces],
  ])('%s can win', async (_what, script) => {
    const { handle, bids: counted } = await withGood(script);
    expect(await handle(titleRequest())).toMatchObject({ kind: 'bid', response: { seatbid: [{ seat: 'other' }] } });
    expect(counted.sort()).toEqual(['good lost', 'other won']);
  });

  test('sends its response byte by byte is late', async () => {
    const { handle, results } = await withGood((response, request) => {
      const text = json(request, 9);
      let at = 0;
      response.writeHead(200);
      const drip = setInterval(() => response.write(text[at++] ?? ' '), 10);
      response.on('close', () => clearInterval(drip));
    });
    expect(await handle(titleRequest())).toMatchObject({ response: { seatbid: [{ seat: 'good' }] } });
    expect(results.sort()).toEqual(['good bid', 'other late']);
  });

  test('exceeds its own timeout is cancelled', async () => {
    const { handle, results } = await withGood(hangs, { timeoutMs: 50 });
    await handle(titleRequest());
    expect(results.sort()).toEqual(['good bid', 'other timeout']);
  });
});

describe('when no partner bids in time', () => {
  test('an auction with all partners down ends without a bid, not with an error', async () => {
    const gone = await partner(hangs);
    gone.close();
    const { handle, results } = createAuctionExchange([{ name: 'gone', endpoint: gone.url }]);
    expect(await handle(titleRequest())).toMatchObject({ kind: 'no_bid' });
    expect(results).toEqual(['gone error']);
  });

  test('an auction with all partners hanging ends at its deadline', async () => {
    const { handle, results } = createAuctionExchange([{ name: 'silent', endpoint: (await partner(hangs)).url }]);
    expect(await handle(titleRequest({ tmax: 150 }))).toMatchObject({ kind: 'no_bid' });
    expect(results).toEqual(['silent timeout']);
  });

  test('the first bid after the soft budget wins', async () => {
    const slow = await partner((response, request) => void setTimeout(() => send(response, json(request, 2)), 1_200));
    const { handle, results } = createAuctionExchange([
      { name: 'slow', endpoint: slow.url },
      { name: 'silent', endpoint: (await partner(hangs)).url },
    ]);
    expect(await handle(titleRequest())).toMatchObject({ response: { seatbid: [{ seat: 'slow' }] } });
    expect(results.sort()).toEqual(['silent late', 'slow bid']);
  });
});

describe('a partner receives', () => {
  test('one POST with the request unchanged, except tmax, which is the time left, and the auction type and currencies', async () => {
    const { handle, other } = await withGood(bids(2), { timeoutMs: 900 });
    const ext = { vendor: [1, { deep: null }] };
    const request = titleRequest({ ext, site: { page: 'https://rider.example/' }, tmax: 1_000 });
    await handle(request);
    expect(other.calls).toHaveLength(1);
    const { method, url, headers, body } = other.calls[0]!;
    expect({ method, url }).toEqual({ method: 'POST', url: '/bid' });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-openrtb-version': '2.6' });
    const { tmax, ...rest } = JSON.parse(body) as { tmax: number };
    expect({ ...rest, tmax: 1_000 }).toEqual({ ...request, at: 1, cur: ['USD'] });
    expect(tmax).toBeLessThanOrEqual(900);
    expect(tmax).toBeGreaterThan(0);
  });

  test('a redacted copy; the request of the caller is not modified', async () => {
    const { handle, other } = await withGood(bids(2));
    const request = titleRequest({ regs: { coppa: 1 }, user: { id: 'u-1' }, device: { ip: '203.0.113.7', ua: 'x' } });
    await handle(request);
    expect(JSON.parse(other.calls[0]!.body)).toMatchObject({ device: { ip: '203.0.113.0', ua: 'x' } });
    expect(other.calls[0]!.body).not.toContain('u-1');
    expect(request).toMatchObject({ user: { id: 'u-1' }, device: { ip: '203.0.113.7' } });
  });

  test('connections are kept from one auction to the next', async () => {
    const sockets = new Set<unknown>();
    const { handle } = await withGood((response, request) => {
      sockets.add(response.socket);
      send(response, json(request, 2));
    });
    for (let auction = 0; auction < 10; auction++) await handle(titleRequest());
    expect(sockets.size).toBeLessThanOrEqual(2);
  });
});

describe('protection', () => {
  test('a partner that keeps failing is skipped, probed, and called again once it responds', async () => {
    let nowMs = 0;
    const fails: Script = (response) => void response.writeHead(500).end();
    const { handle, results, circuits, other } = await withGood(fails, {}, () => nowMs);
    for (let auction = 0; auction < 30; auction++) await handle(titleRequest());
    expect(circuits).toEqual(['other open']);
    expect(other.calls).toHaveLength(10);
    expect(results.filter((result) => result === 'other skipped')).toHaveLength(20);
    other.play(bids(2));
    nowMs += 3_000;
    await until('it is called again', async () => {
      await handle(titleRequest());
      return circuits.at(-1) === 'other closed';
    });
    expect(circuits).toEqual(['other open', 'other half_open', 'other closed']);
  });

  test.each([302, 400, 413, 429, 431])('a partner that responds with %d is called again and again', async (status) => {
    const { handle, results, circuits, other } = await alone((response) => void response.writeHead(status).end());
    for (let auction = 0; auction < 40; auction++) await handle(titleRequest());
    expect(circuits).toEqual([]);
    expect(other.calls).toHaveLength(40);
    expect(results).toContain('other error');
  });

  test('a partner that fails between rejections is skipped', async () => {
    let count = 0;
    const { handle, circuits, other } = await alone(
      (response) => void response.writeHead(count++ % 2 === 0 ? 413 : 500).end(),
    );
    for (let auction = 0; auction < 40; auction++) await handle(titleRequest());
    expect(circuits).toEqual(['other open']);
    expect(other.calls).toHaveLength(20);
  });

  test('a partner that rejects a large body and closes the connection without reading it is called again', async () => {
    const rejects = 'HTTP/1.1 413 Content Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
    const { url, server } = await startRawPartner((socket) => socket.end(rejects).destroySoon());
    const { handle, results, circuits } = createAuctionExchange([{ name: 'other', endpoint: url }]);
    const page = `https://rider.example/?${'x'.repeat(250_000)}`;
    for (let auction = 0; auction < 40; auction++) await handle(titleRequest({ site: { page } }));
    server.close();
    expect(results).toContain('other error');
    expect(circuits).toEqual([]);
  });

  test('a partner is not called more often than its maxQps', async () => {
    const { handle, results, other } = await withGood(bids(2), { maxQps: 3 }, () => 0);
    for (let auction = 0; auction < 10; auction++) await handle(titleRequest());
    expect(other.calls).toHaveLength(3);
    expect(results.filter((result) => result === 'other skipped')).toHaveLength(7);
  });
});

test('in a second-price auction the winner pays one cent more than the best other partner', async () => {
  const { handle } = await withGood(bids(2.5));
  expect(await handle(titleRequest({ at: 2 }))).toMatchObject({
    response: { seatbid: [{ seat: 'other', bid: [{ price: 1.01 }] }] },
  });
});

test('impressions are sold one by one, and the winners are grouped by seat', async () => {
  const nurl = 'https://adv.example/win?p=${AUCTION_PRICE}';
  const { handle, bids: counted } = await withGood((response, request) =>
    send(response, JSON.stringify(bidResponse({ ...request, imp: [{ id: '2' }] }, 3, { nurl }))),
  );
  const [imp] = titleRequest().imp;
  expect(await handle({ ...titleRequest(), imp: [imp, { ...imp, id: '2' }] })).toMatchObject({
    response: {
      seatbid: [
        { seat: 'good', bid: [{ impid: '1', price: 1 }] },
        { seat: 'other', bid: [{ impid: '2', price: 3, nurl }] },
      ],
    },
  });
  expect(counted.sort()).toEqual(['good lost', 'good won', 'other won']);
});
