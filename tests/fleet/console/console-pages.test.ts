/** The console's pages: only built files are served, with headers that bound what a page may do. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { sendRaw } from '../../support/send-raw.ts';
import { type ConsoleOptions, files, startConsole, type TestConsole } from './start-console.ts';

let started: TestConsole;
afterEach(() => started.close());
const start = async (options: ConsoleOptions = {}) => (started = await startConsole(options));
const get = (target: string, headers = '') =>
  sendRaw(started.server, `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${headers}\r\n`);

test.each(['/', '/console'])('%s redirects to /console/', async (path) => {
  await start();
  expect(await get(path)).toMatchObject({ status: 302, headers: { location: '/console/' } });
});

test.each([
  ['/console/', 'text/html; charset=utf-8', files['index.html']],
  ['/console/index.html?x=1', 'text/html; charset=utf-8', files['index.html']],
  ['/console/app.js', 'text/javascript; charset=utf-8', files['app.js']],
  ['/console/chunks/a.css', 'text/css; charset=utf-8', files['chunks/a.css']],
  ['/console/icon.png', 'image/png', files['icon.png']],
])('%s is a file of the folder', async (path, type, text) => {
  await start();
  const response = await fetch(started.url + path, { headers: { 'accept-encoding': 'identity' } });
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([200, type, text]);
  expect(response.headers.get('content-encoding')).toBeNull();
});

test.each([
  '/console/missing.js',
  '/console/../package.json',
  '/console/%2e%2e/package.json',
  '/console/..%2fpackage.json',
  '/console//etc/passwd',
  '/console/chunks',
  '/console/chunks/',
  '/console/__proto__',
])('%s: 404', async (path) => {
  await start();
  expect((await get(path)).status).toBe(404);
});

test('every response of the console has the security headers', async () => {
  await start();
  for (const path of ['/', '/console/', '/console/nothing', '/console/api/session', '/console/api/history']) {
    const { headers } = await get(path);
    expect(headers['content-security-policy']).toContain("default-src 'self'; ");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
    });
  }
});

describe('compression and revalidation', () => {
  const fetchFile = (name: string, headers: Record<string, string>) =>
    fetch(`${started.url}/console/${name}`, { headers });

  test.each(['gzip', 'br, gzip;q=0.5', '*'])('Accept-Encoding %s: gzip', async (accepted) => {
    await start();
    const { text, headers } = await get('/console/app.js', `Accept-Encoding: ${accepted}\r\n`);
    expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'Accept-Encoding']);
    expect(Number(headers['content-length'])).toBeLessThan(files['app.js'].length);
    expect(text).not.toContain('console.log');
  });

  test('the compressed file is the file', async () => {
    await start();
    const response = await fetchFile('app.js', { 'accept-encoding': 'gzip' });
    expect(await response.text()).toBe(files['app.js']); // fetch decompresses
  });

  test.each(['identity', 'br', 'gzip;q=0', 'gzip;q=0.0, br'])(
    'Accept-Encoding %s: not compressed',
    async (accepted) => {
      await start();
      const { text, headers } = await get('/console/app.js', `Accept-Encoding: ${accepted}\r\n`);
      expect([headers['content-encoding'], text]).toEqual([undefined, files['app.js']]);
    },
  );

  test('an image is not compressed again', async () => {
    await start();
    expect((await get('/console/icon.png', 'Accept-Encoding: gzip\r\n')).headers['content-encoding']).toBeUndefined();
  });

  test('a file that the client has: 304 without a body', async () => {
    await start();
    const { headers } = await get('/console/app.js');
    const again = await get('/console/app.js', `If-None-Match: "other", ${headers.etag}\r\n`);
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await get('/console/index.html', `If-None-Match: ${headers.etag}\r\n`)).status).toBe(200);
  });
});

test('a console that has not been built: 503 with the command; its API works', async () => {
  await start({ isBuilt: false });
  const { status, text } = await get('/console/');
  expect([status, text]).toEqual([503, expect.stringContaining('make console')]);
  expect((await get('/console/api/session')).status).toBe(200);
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s of a page: 405', async (method) => {
  await start();
  const bytes = `${method} /console/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`;
  expect(await sendRaw(started.server, bytes)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
});

test('HEAD has the headers of GET and no body', async () => {
  await start();
  const bytes = 'HEAD /console/app.js HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';
  const { status, text, headers } = await sendRaw(started.server, bytes);
  expect([status, text, headers['content-length']]).toEqual([200, '', String(files['app.js'].length)]);
});
