/** The console of a real exchange with sandbox demand: examples, errors at their lines, live plots, login. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { Example, History } from '../../src/contract/console-api.ts';
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
  let level1: { id: string; imp: [object] };

  beforeAll(async () => {
    [browser, gavel] = await Promise.all([launchChromium(), startGavel(settings)]);
    const examples = (await (await fetch(`${gavel.admin}/console/api/examples`)).json()) as Example[];
    level1 = JSON.parse(examples.find(({ name }) => name === 'level-1')!.body) as typeof level1;
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
    const result = page.getByTestId('result');
    const ended = Number(await result.getAttribute('data-ended-runs'));
    await page.getByTestId('run').click();
    await page.locator(`[data-ended-runs="${ended + 1}"]`).waitFor();
    await page.getByTestId('result-status').waitFor();
  };
  /** Replaces the text of the editor by a request of level 1 that `change` has changed, and runs it. */
  const runChanged = async (change: object) => {
    const request = { ...level1, ...change };
    await page.getByTestId('editor').locator('.cm-content').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(JSON.stringify(request, undefined, 2));
    await run();
  };
  const send = (request: object) =>
    fetch(gavel.endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(request),
    });
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

  const imp = (more: object) => ({ imp: [{ ...level1.imp[0], ...more }] });
  const nativeRequest = (...assets: object[]) => JSON.stringify({ native: { ver: '1.2', assets } });
  const requiredVideo = { mimes: ['video/mp4'], minduration: 5, maxduration: 30, protocols: [2] };
  const noBidCauses: Record<string, [change: () => object, cause: string]> = {
    'a floor that no bidder reaches': [
      () => imp({ bidfloor: 900 }),
      'imp[0].bidfloor a bid needs at least 900 USD CPM',
    ],
    'a private auction': [
      () => imp({ pmp: { private_auction: 1, deals: [{ id: 'unknown' }] } }),
      'no_deal the auction is private, and the bid has no dealid',
    ],
    'a video that nobody has': [
      () => imp({ native: { request: nativeRequest({ id: 1, required: 1, video: requiredVideo }) } }),
      '1 × required assets',
    ],
    'a currency without a rate': [() => ({ cur: ['KZT'] }), 'No impression of the request can be traded.'],
    'seats that nobody has': [() => ({ wseat: ['nobody'] }), 'is not in wseat of the request'],
  };

  test.each(Object.entries(noBidCauses))(
    'the playground shows why there is no bid: %s',
    async (_name, [change, cause]) => {
      await open();
      await runChanged(change());
      const result = await page.getByTestId('result').textContent();
      expect(result).toContain('200 No bid');
      expect(result).toContain(cause);
    },
  );

  test('a live request in a currency without a rate is found with that cause', async () => {
    const response = await send({ ...level1, id: 'in-another-currency', test: 0, cur: ['KZT'] });
    expect(response.status).toBe(204);
    await open('#/auctions');
    await page.getByTestId('auction-search').fill('in-another-currency');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByTestId('warning').first().waitFor();
    expect(await page.getByTestId('warning').first().textContent()).toContain('CURRENCY_NOT_TRADED cur');
    expect(await page.getByTestId('waterfall').textContent()).toContain('No impression of the request can be traded.');
  });

  test('a live request without a bid is found by the id of its bid request, with the cause', async () => {
    const request = { ...level1, ...imp({ bidfloor: 900 }), id: 'an-ssp-knows-this', test: 0 };
    const response = await send(request);
    expect(response.status).toBe(204);
    await open('#/auctions');
    await page.getByTestId('auction-search').fill(request.id);
    await page.getByRole('button', { name: 'Find' }).click();
    const details = page.getByTestId('auction-details');
    await details.getByText('imp[0].bidfloor a bid needs at least 900 USD CPM').waitFor();
    expect(await page.getByTestId('auction-row').textContent()).toContain(response.headers.get('x-request-id')!);
    // Nothing of the user and the device.
    const sample = await (await fetch(`${gavel.admin}/console/api/auctions?id=${request.id}`)).text();
    expect(sample).not.toMatch(/203\.0\.113|Mozilla/);
  });

  test('an invalid request is among the errors and leads to its sample; a test request is not', async () => {
    await open();
    await runChanged({ tmax: 'soon' });
    const response = await send({ ...level1, test: 0, at: 9 });
    await page.getByTestId('nav-errors').click();
    const row = page.getByTestId('error-row').filter({ hasText: 'INVALID_FIELD_VALUE' });
    await row.getByRole('link', { name: response.headers.get('x-request-id')! }).click();
    await page.getByTestId('auction-details').getByText('must be one of 1, 2; got 9').waitFor();
    await page.getByTestId('nav-errors').click();
    await row.waitFor();
    expect(await page.getByTestId('error-row').filter({ hasText: 'tmax' }).count()).toBe(0);
  });

  test('test requests are counted apart, and never in what partners earn', async () => {
    const sampleOf = async () => {
      const history = (await (await fetch(`${gavel.admin}/console/api/history`)).json()) as History;
      return history.samples;
    };
    await open();
    await page.getByTestId('example-select').selectOption('level-2');
    const total = async () => (await sampleOf()).reduce((sum, { testRequests = 0 }) => sum + testRequests, 0);
    const [before, earned] = [await total(), await revenue()];
    await run();
    await until('the run is counted', async () => (await total()) > before);
    expect(await revenue()).toBe(earned);

    async function revenue(): Promise<number> {
      return (await sampleOf()).flatMap(({ partners }) => partners).reduce((sum, one) => sum + one.revenueMicros, 0);
    }
  });

  test.each([300_000, 3_000_000])('a request of %i bytes is rejected with the limit', async (bytes) => {
    await open();
    await page.getByTestId('editor').locator('.cm-content').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(JSON.stringify({ ...level1, ext: { text: 'x'.repeat(bytes) } }));
    await page.getByTestId('run').click();
    await page.getByTestId('failed').getByText('the body must be at most 256 KiB (262144 bytes)').waitFor();
  });

  test('script in the texts of a request stays text on every page', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    await send({ ...level1, test: 0, id: hostile, site: { domain: hostile, publisher: { id: hostile } } });
    await send({ ...level1, test: 0, at: hostile, site: { domain: hostile, publisher: { id: hostile } } });
    await open();
    await runChanged({ id: hostile, cur: [hostile], badv: [hostile] });
    await page.getByTestId('nav-auctions').click();
    await page.getByTestId('auction-search').fill(hostile);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByTestId('auction-details').filter({ hasText: hostile }).waitFor();
    await page.getByTestId('nav-errors').click();
    await page.getByTestId('error-row').filter({ hasText: hostile }).first().waitFor();
    expect(await page.locator('#app').locator('img, script').count()).toBe(0);
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
