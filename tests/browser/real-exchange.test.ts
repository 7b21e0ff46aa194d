/** The console of a real exchange with sandbox demand: examples, errors at their lines, live plots, login. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { Example } from '../../src/console/api.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';
import { Traffic } from '../support/traffic.ts';
import { until } from '../support/until.ts';
import { launchChromium } from './support/launch-chromium.ts';
import { describeInBrowser, openPage, type WatchedPage } from './support/watched-page.ts';

/** Budgets are longer than those of `make run`, so that a busy machine does not change who bids in time. */
const settings = { WORKERS: '1', DEMAND_FILE: '', TIMEOUT_MS: '5000', SOFT_TIMEOUT_MS: '5000' };

const expectedExamples = [
  'level-1',
  'level-2',
  'level-3',
  'level-4',
  'product-search',
  'deal',
  'blocked-advertiser',
  'gdpr',
  'coppa',
  'invalid',
];

describeInBrowser('the console of a real exchange', () => {
  let browser: Browser;
  let gavel: Gavel;
  let opened: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    [browser, gavel] = await Promise.all([launchChromium(), startGavel(settings)]);
  });
  afterAll(async () => {
    await browser.close();
    await gavel.end();
  });
  afterEach(async () => {
    await page.context().close();
    expect(opened.offences).toEqual([]);
  });

  const open = async (hash = '', { admin } = gavel) => {
    opened = await openPage(browser, `${admin}/console/${hash}`);
    ({ page } = opened);
  };
  const run = async () => {
    const responded = page.waitForResponse(/\/api\/try$/);
    await page.getByTestId('run').click();
    await responded;
    await page.getByTestId('result-status').waitFor();
  };
  const statusOf = () => page.getByTestId('result-status').textContent();

  test('the root leads to the console', async () => {
    const response = await fetch(gavel.admin, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/console/']);
    await open();
    await page.getByTestId('run').waitFor();
  });

  test('each example runs: valid ones show the auction, the invalid one its problems', async () => {
    const examples = (await (await fetch(`${gavel.admin}/console/api/examples`)).json()) as Example[];
    expect(examples.map(({ name }) => name)).toEqual(expect.arrayContaining(expectedExamples));
    await open();
    await page.getByTestId('editor').locator('.cm-line').first().waitFor();
    for (const { name } of examples) {
      await page.getByTestId('example-select').selectOption(name);
      await run();
      const isInvalid = name === 'invalid';
      expect([name, await statusOf()]).toEqual([name, isInvalid ? '400' : '200']);
      expect([name, await page.getByTestId('waterfall').count()]).toEqual([name, isInvalid ? 0 : 1]);
      expect([name, (await page.getByTestId('problem').count()) > 0]).toEqual([name, isInvalid]);
      expect([name, (await page.locator('.cm-lint-marker-error').count()) > 0]).toEqual([name, isInvalid]);
    }
  });

  test('level 1 shows the ad; a field that is made invalid is marked at its line', async () => {
    await open();
    await page.getByTestId('example-select').selectOption('level-1');
    await run();
    expect(await page.getByTestId('ad-preview').textContent()).not.toContain('not JSON');
    const content = page.getByTestId('editor').locator('.cm-content');
    await content.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('End');
    await page.keyboard.insertText('\n"tmax": "soon",');
    await run();
    expect(await statusOf()).toBe('400');
    expect(await page.getByTestId('problem').first().textContent()).toMatch(/INVALID_FIELD_TYPE tmax .*line 2/);
    const marked = page.locator('.cm-line', { has: page.locator('.cm-lintRange-error') });
    expect(await marked.allTextContents()).toEqual(['"tmax": "soon",']);
    await content.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText(',');
    await run();
    expect(await statusOf()).toBe('400');
    expect(await page.getByTestId('problem').textContent()).toContain('INVALID_REQUEST');
    expect(await page.locator('.cm-lintRange-error').textContent()).toBe(',');
  });

  test('a run is among the auctions, and its error among the errors', async () => {
    await open();
    await page.getByTestId('example-select').selectOption('invalid');
    await run();
    await page.getByTestId('nav-auctions').click();
    await until('the auction is listed', async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      return (await page.getByTestId('auction-row').filter({ hasText: 'test' }).count()) > 0;
    });
    await page.getByTestId('nav-errors').click();
    await page.getByTestId('error-row').first().waitFor();
  });

  test('plots move under load, and partners are counted', async () => {
    const traffic = new Traffic(gavel.endpoint, 4);
    try {
      await open('#/live');
      const rate = async () => Number((await page.getByTestId('metric-rps').textContent())!.replaceAll(',', ''));
      await page.getByTestId('metric-rps').waitFor();
      await until('requests are counted', async () => (await rate()) > 0);
      const plot = page.getByTestId('plot-latency');
      const latest = async () => Number(await plot.getAttribute('data-latest'));
      const before = await latest();
      await until('the plot has moved', async () => (await latest()) >= before + 2_000);
      expect(await page.getByTestId('metric-p99').textContent()).toMatch(/^[\d.,]+ ms$/);
      await page.getByTestId('nav-partners').click();
      await page.getByTestId('partner-row').first().waitFor();
      expect(await page.getByTestId('partner-row').allTextContents()).toEqual(
        expect.arrayContaining([expect.stringMatching(/^alpha/), expect.stringMatching(/^house/)]),
      );
    } finally {
      await traffic.stop();
    }
  });

  test('the reference shows the bidding endpoint', async () => {
    await open('#/reference');
    await page.getByTestId('operation').first().waitFor();
    expect(await page.locator('main').textContent()).toContain('POST /openrtb2');
    expect(await page.getByTestId('error-code-row').count()).toBeGreaterThan(5);
  });

  test('with ADMIN_TOKEN the console needs it, and metrics do not', async () => {
    const guarded = await startGavel({ ...settings, ADMIN_TOKEN: 'a-token-of-a-test-that-is-long-enough' });
    try {
      expect((await fetch(`${guarded.admin}/console/api/errors`)).status).toBe(401);
      expect((await fetch(`${guarded.admin}/metrics`)).status).toBe(200);
      await open('#/errors', guarded);
      await page.getByTestId('login-token').fill('wrong');
      await page.getByTestId('login-submit').click();
      await page.getByTestId('login-problem').waitFor();
      await page.getByTestId('login-token').fill('a-token-of-a-test-that-is-long-enough');
      await page.getByTestId('login-submit').click();
      await page.getByText('No request was rejected.').waitFor();
      expect(await page.evaluate('document.cookie')).toBe('');
    } finally {
      await guarded.end();
    }
  });
});
