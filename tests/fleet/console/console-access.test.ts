/** Who may use the console: no request from another site, no request without the token, no guessing of the token. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { sendRaw } from '../../support/send-raw.ts';
import { type ConsoleOptions, startConsole, type TestConsole } from './start-console.ts';

const token = 'correct-horse';

let started: TestConsole;
afterEach(() => started.close());
const start = async (options: ConsoleOptions = {}) => (started = await startConsole(options));

const api = (path: string, init: RequestInit = {}) => fetch(`${started.url}/console/api/${path}`, init);
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  api(path, { method: 'POST', body, headers: { origin: started.url, ...headers } });
const logIn = (value: unknown, headers?: Record<string, string>) =>
  post('login', JSON.stringify({ token: value }), headers);
const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });
const cookieOf = async () => (await logIn(token)).headers.get('set-cookie')!;

const closed = ['examples', 'live', 'history', 'auctions', 'errors'];

describe('without a token, on a loopback address', () => {
  test('no login is required', async () => {
    await start();
    expect(await (await api('session')).json()).toEqual({
      loginRequired: false,
      endpoint: 'http://127.0.0.1:1/openrtb2',
      version: '1.2.3',
    });
    expect((await api('examples')).status).toBe(200);
  });

  test.each(['127.0.0.1', '127.0.0.1:9464', 'localhost:9464', 'gavel.localhost', '[::1]:9464', '10.0.0.7'])(
    'Host %s is allowed',
    async (host) => {
      await start();
      const bytes = `GET /console/api/session HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect((await sendRaw(started.server, bytes)).status).toBe(200);
    },
  );

  test.each([
    'rebound.example',
    'rebound.example:9464',
    'localhost.rebound.example',
    '127.0.0.1.rebound.example',
    '[x]',
  ])('Host %s: 403, because a site may have pointed its name at this address', async (host) => {
    await start();
    for (const path of ['/console/', '/console/api/history']) {
      const bytes = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect((await sendRaw(started.server, bytes)).status).toBe(403);
    }
    const health = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(started.server, health)).status).toBe(200);
  });
});

describe('a GET by a page', () => {
  const get = (path: string, site: string) => api(path, { headers: { 'sec-fetch-site': site } });

  test.each(['cross-site', 'same-site'])('%s: 403, because each one costs the workers a reply', async (site) => {
    await start();
    for (const path of ['session', ...closed]) expect((await get(path, site)).status).toBe(403);
    expect((await fetch(`${started.url}/console/`, { headers: { 'sec-fetch-site': site } })).status).not.toBe(403);
  });

  test.each(['same-origin', 'none'])('%s is allowed', async (site) => {
    await start();
    expect((await get('examples', site)).status).toBe(200);
  });
});

test.each(['0.0.0.0', '::', '192.0.2.1', 'admin.example'])(
  'without a token on %s: 403 with the reason',
  async (host) => {
    await start({ host });
    for (const path of ['/', '/console/', '/console/api/session', '/console/api/history']) {
      const response = await fetch(started.url + path, { redirect: 'manual' });
      expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('set ADMIN_TOKEN')]);
    }
    expect((await logIn('anything')).status).toBe(403);
    expect((await fetch(`${started.url}/healthz`)).status).toBe(200);
  },
);

describe.each(['127.0.0.1', '0.0.0.0'])('with a token on %s', (host) => {
  test.each(closed)('%s needs it', async (path) => {
    await start({ host, token });
    expect((await api(path)).status).toBe(401);
    expect((await api(path, bearer('wrong-horse'))).status).toBe(401);
    expect((await api(path, { headers: { authorization: `Basic ${token}` } })).status).toBe(401);
    const response = await api(path, bearer(token));
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  test('the pages, the session and the health do not', async () => {
    await start({ host, token });
    for (const path of ['/console/', '/console/app.js', '/healthz'])
      expect((await fetch(started.url + path)).status).toBe(200);
    expect(await (await api('session')).json()).toMatchObject({ loginRequired: true });
  });
});

describe('login', () => {
  test('sets a cookie that opens the API and does not contain the token', async () => {
    await start({ token });
    const response = await logIn(token);
    const cookie = response.headers.get('set-cookie')!;
    expect([response.status, cookie]).toEqual([204, expect.stringMatching(/; HttpOnly; SameSite=Strict; Path=\/;/)]);
    expect(cookie).not.toContain(token);
    for (const name of ['content-type', 'content-length']) expect(response.headers.get(name)).toBeNull();
    const headers = { cookie: `other=1; ${cookie.split(';')[0]}` };
    expect((await api('examples', { headers })).status).toBe(200);
    expect(await (await api('session', { headers })).json()).toMatchObject({ loginRequired: false });
  });

  test('the cookie has the port of the browser in its name, because browsers share cookies between ports', async () => {
    await start({ token });
    const { port } = new URL(started.url);
    expect(await cookieOf()).toMatch(new RegExp(`^gavel_session_${port}=`));
    const id = (await cookieOf()).split(/[=;]/)[1]!;
    expect((await api('examples', { headers: { cookie: `gavel_session_1=${id}` } })).status).toBe(401);
  });

  test('ends after 12 hours', async () => {
    await start({ token });
    const headers = { cookie: (await cookieOf()).split(';')[0]! };
    started.advance(12 * 3_600_000 - 1);
    expect((await api('examples', { headers })).status).toBe(200);
    started.advance(1);
    expect((await api('examples', { headers })).status).toBe(401);
  });

  test('has at most 100 sessions; the oldest ends', async () => {
    await start({ token });
    const first = (await cookieOf()).split(';')[0]!;
    const second = (await cookieOf()).split(';')[0]!;
    for (let i = 0; i < 99; i++) await cookieOf();
    expect((await api('examples', { headers: { cookie: first } })).status).toBe(401);
    expect((await api('examples', { headers: { cookie: second } })).status).toBe(200);
  });

  test.each([
    ['a wrong token', { token: 'wrong-horse' }, 401],
    ['an empty token', { token: '' }, 401],
    ['a number', { token: 1 }, 400],
    ['no token', {}, 400],
    ['a list', [token], 400],
  ])('%s', async (_name, body, status) => {
    await start({ token });
    const response = await post('login', JSON.stringify(body));
    expect([response.status, response.headers.get('set-cookie')]).toEqual([status, null]);
  });

  test('a body of more than 1 KiB: 413', async () => {
    await start({ token });
    expect((await post('login', `{"token":"${'x'.repeat(1_012)}"}`)).status).toBe(401); // 1,024 bytes
    expect((await post('login', `{"token":"${'x'.repeat(1_013)}"}`)).status).toBe(413);
  });

  test('after 10 wrong tokens per minute even the right one is rejected; a session stays open', async () => {
    await start({ token });
    const cookie = (await cookieOf()).split(';')[0]!;
    for (let i = 0; i < 5; i++) expect((await logIn(`wrong-horse-${i}`)).status).toBe(401);
    for (let i = 0; i < 5; i++) expect((await api('examples', bearer(`wrong-${i}`))).status).toBe(401);
    expect((await logIn(token)).status).toBe(429);
    expect((await api('examples', bearer(token))).status).toBe(429);
    expect((await api('examples', { headers: { cookie } })).status).toBe(200);
    started.advance(59_999);
    expect((await logIn(token)).status).toBe(429);
    started.advance(1);
    expect((await logIn(token)).status).toBe(204);
  });
});

describe('a POST from another site', () => {
  const tryIt = (headers: Record<string, string>) => api('try', { method: 'POST', body: '{}', headers });

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{}],
  ])('%j: 403', async (headers) => {
    await start();
    expect((await tryIt(headers)).status).toBe(403);
    started.close();
    await start({ token });
    const cookie = (await cookieOf()).split(';')[0]!;
    expect((await tryIt({ ...headers, cookie })).status).toBe(403);
    expect((await logIn(token, { origin: '', ...headers })).status).toBe(403);
  });

  test('the own origin or the token is enough; the endpoint of this test is down, hence 502', async () => {
    await start();
    expect((await tryIt({ origin: started.url })).status).toBe(502);
    expect((await tryIt({ 'sec-fetch-site': 'same-origin' })).status).toBe(502);
    expect((await tryIt({ authorization: 'Bearer anything' })).status).toBe(403);
    started.close();
    await start({ token });
    expect((await tryIt({ authorization: `Bearer ${token}` })).status).toBe(502);
    expect((await tryIt({ authorization: 'Bearer wrong-horse' })).status).toBe(401);
  });
});
