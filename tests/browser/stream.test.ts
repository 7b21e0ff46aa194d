/** The stream of live and partners: lost, silent, refused, and in a hidden tab. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { healthy } from './support/canned.ts';
import { FakeAdmin } from './support/fake-admin.ts';
import { launchChromium } from './support/launch-chromium.ts';
import { describeInBrowser, openPage, type WatchedPage } from './support/watched-page.ts';

describeInBrowser('the stream', () => {
  let browser: Browser;
  let admin: FakeAdmin;
  let opened: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    admin = await new FakeAdmin(healthy()).start();
  });
  afterEach(async () => {
    await page.context().close();
    await admin.close();
    expect(opened.offences).toEqual([]);
  });

  const open = async (hash: string) => {
    opened = await openPage(browser, `${admin.url}#/${hash}`);
    ({ page } = opened);
  };
  const latestOf = async (testid: string) => Number(await page.getByTestId(testid).getAttribute('data-latest'));

  test('live reconnects after the stream was lost', async () => {
    await open('live');
    await page.getByText('Connected').waitFor();
    const first = await latestOf('plot-latency');
    await until('the stream is open', async () => (await latestOf('plot-latency')) > first);
    admin.failing.set('history', 503);
    admin.dropStreams();
    await page.getByText('Connection lost. Reconnecting…').waitFor();
    admin.failing.clear();
    await page.getByText('Connected').waitFor();
    const before = await latestOf('plot-latency');
    await until('samples arrive again', async () => (await latestOf('plot-latency')) > before);
  });

  test('values that are not of now are dimmed, and their time is shown', async () => {
    for (const name of ['live', 'partners']) {
      admin.failing.clear();
      await open(name);
      const value = '.metrics dd, [data-testid=partner-row] td';
      await page.locator(value).first().waitFor();
      const colour = () => page.evaluate<string>(`getComputedStyle(document.querySelector('${value}')).color`);
      await page
        .getByTestId('stream-state')
        .getByText(/^Connected$/)
        .waitFor();
      const before = await colour();
      admin.failing.set('history', 503);
      admin.dropStreams();
      await page
        .getByTestId('stream-state')
        .getByText(/Connection lost. Reconnecting… The latest values are from \d\d:\d\d:\d\d\.$/)
        .waitFor();
      expect(await colour()).not.toBe(before);
      if (name === 'live') await page.context().close();
    }
  });

  test.each(['live', 'partners'])('a silent stream is lost on %s, though its connection is open', async (name) => {
    await open(name);
    await page.getByText('Connected').waitFor();
    const { nextSample } = admin.data;
    delete admin.data.nextSample;
    await page.getByText('Connection lost. Reconnecting…').waitFor();
    admin.data.nextSample = nextSample!;
    await page.getByText('Connected').waitFor();
  });

  test('a stream that does not open is not connected', async () => {
    opened = await openPage(browser, admin.url);
    ({ page } = opened);
    await page.route('**/api/live', () => {});
    await page.getByTestId('nav-live').click();
    await page.getByTestId('plot-latency').waitFor();
    expect(await page.getByTestId('stream-state').textContent()).toBe('Loading…');
    await page.getByText('Connection lost. Reconnecting…').waitFor();
  });

  test('a refused stream has the reason of the server', async () => {
    admin.failing.set('live', 503);
    admin.failureReason = 'too many clients watch; close one';
    await open('live');
    await page.getByText('Too many clients watch; close one. Trying again…').waitFor();
    admin.failing.clear();
    await page.getByText('Connected').waitFor();
    expect(await page.getByText('Too many clients').count()).toBe(0);
  });

  test('a hidden tab has no stream; when it is shown, the history fills the gap', async () => {
    await open('live');
    await page.getByText('Connected').waitFor();
    const show = (state: string) =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
         document.dispatchEvent(new Event('visibilitychange'));`,
      );
    await show('hidden');
    await until('the stream is closed', () => admin.streams === 0);
    const history = page.waitForRequest('**/api/history');
    await show('visible');
    await history;
    await page.getByText('Connected').waitFor();
    expect(admin.streams).toBe(1);
  });

  test('a server that does not respond is named after 10 s', async () => {
    await open('errors');
    await page.getByTestId('error-row').first().waitFor();
    await page.route('**/api/errors', () => {});
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('The admin server did not respond in time.').waitFor();
  });
});
