/** The pages live, partners, auctions, errors and reference, with data, without, and when the exchange fails. */
import { expect, test } from '@jest/globals';
import type { LiveSample } from '../../src/contract/console-api.ts';
import { until } from '../support/until.ts';
import { partners } from './support/canned.ts';
import { liveSample } from './support/samples.ts';
import { useConsole } from './support/use-console.ts';
import { describeInBrowser } from './support/watched-page.ts';

describeInBrowser('the pages', () => {
  const tab = useConsole();

  const open = async (hash: string) => {
    await tab.open(`#/${hash}`);
  };
  const textOf = (testid: string) => tab.page.getByTestId(testid).textContent();
  const latestOf = async (testid: string) => Number(await tab.page.getByTestId(testid).getAttribute('data-latest'));

  test('live has the metrics against their targets, and plots that move', async () => {
    await open('live');
    await tab.page.getByTestId('metric-p99').waitFor();
    expect(Number((await textOf('metric-rps'))!.replace(',', ''))).toBeGreaterThan(900);
    expect(await textOf('metric-p50')).toMatch(/^2\d ms$/);
    expect(await textOf('metric-workers')).toBe('2 of 2');
    expect(await textOf('metric-limiter')).toBe('redis');
    expect(await tab.page.locator('.metrics').textContent()).toContain('within the target of 50 ms');
    expect(await tab.page.getByTestId('plot-latency').locator('canvas').count()).toBe(1);
    const before = await latestOf('plot-latency');
    const pixels = () =>
      tab.page
        .getByTestId('plot-requests')
        .locator('canvas')
        .evaluate((canvas) => (canvas as unknown as { toDataURL(): string }).toDataURL());
    const drawn = await pixels();
    await until('the plots have moved', async () => (await latestOf('plot-latency')) >= before + 5_000);
    await until('they are drawn', async () => (await pixels()) !== drawn);
    expect(await tab.page.getByTestId('plot-latency').getAttribute('data-points')).toBe('900');
  });

  test('live says what is wrong', async () => {
    const bad = {
      latencyMs: { p50: 60, p95: 100, p99: 201 },
      workers: { ready: 1, expected: 2 },
      limitMode: 'degraded' as const,
      shed: { queue_delay: 12 },
    };
    tab.admin.data.nextSample = undefined as never;
    tab.admin.data.history.samples = [liveSample(1_000, bad)];
    await open('live');
    await tab.page.getByText('above the target of 200 ms').waitFor();
    expect(await tab.page.locator('.metrics > .bad dt').allTextContents()).toEqual([
      'p50',
      'p99',
      'Shed per second',
      'Workers',
      'Rate limiter',
    ]);
  });

  test('live says what was wrong some minutes ago', async () => {
    tab.admin.data.nextSample = undefined as never;
    const missing = { workers: { ready: 1, expected: 2 } };
    tab.admin.data.history.samples = [liveSample(1_000), liveSample(1_300, missing), liveSample(1_600)];
    await open('live');
    await tab.page.getByTestId('change').first().waitFor();
    expect(await tab.page.getByTestId('change').allTextContents()).toEqual([
      expect.stringMatching(/^1970-01-01 \d\d:\d\d:\d\d 2 of 2 workers are ready$/),
      expect.stringMatching(/^1970-01-01 \d\d:\d\d:\d\d 1 of 2 workers are ready$/),
    ]);
  });

  test('the plots have a unit at their axis and in their legend', async () => {
    await open('live');
    const legend = tab.page.getByTestId('plot-latency').locator('.u-legend');
    await legend.getByText('p50 target').waitFor();
    expect(await legend.textContent()).toMatch(/p50\D*\d+ msp50 target\D*50 msp95/);
    expect(await tab.page.locator('.metrics').textContent()).toContain('Rate-limited requests per second');
  });

  test('a value between gaps is drawn', async () => {
    delete tab.admin.data.nextSample;
    const pixels = async (latencyMs: (second: number) => LiveSample['latencyMs']) => {
      tab.admin.data.history.samples = Array.from({ length: 60 }, (_, second) =>
        liveSample(second, { latencyMs: latencyMs(second) }),
      );
      await open('live');
      const canvas = tab.page.getByTestId('plot-latency').locator('canvas');
      await canvas.waitFor();
      await tab.page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      return canvas.evaluate((one) => (one as unknown as { toDataURL(): string }).toDataURL());
    };
    const empty = await pixels(() => null);
    await tab.page.context().close();
    expect(await pixels((second) => (second === 30 ? { p50: 20, p95: 80, p99: 100 } : null))).not.toBe(empty);
  });

  test('live and partners without samples say so', async () => {
    tab.admin.data.history.samples = [];
    delete tab.admin.data.nextSample;
    await open('live');
    await tab.page.getByText('No sample yet').waitFor();
    await tab.page.getByTestId('nav-partners').click();
    await tab.page.getByText('No partner was called in this period.').waitFor();
  });

  test('a partner opens to its drop reasons and latencies', async () => {
    const latency = { le: [5, 25, 1_000, null], counts: [5, 70, 99, 100] };
    const outcomes = { bid: 60, no_bid: 18, timeout: 20, late: 2, skipped: 3 };
    for (const { partners } of tab.admin.data.history.samples) Object.assign(partners[0]!, { latency, outcomes });
    delete tab.admin.data.nextSample;
    await open('partners');
    await tab.page.getByTestId('partner-row').first().waitFor();
    const rows = await tab.page.getByTestId('partner-row').allTextContents();
    expect(rows.map((row) => row.match(/^[a-z]+/)![0])).toEqual(['alpha', 'beta', 'house']);
    const cells = await tab.page.getByTestId('partner-row').first().locator('td').allTextContents();
    expect(cells.slice(0, 3)).toEqual(['100', '60%', '33.3%']);
    expect(cells[5]).toBe('1,200');
    expect(cells.slice(-3)).toEqual(['closed', '149 ms', '$0.60']);
    await tab.page.getByRole('button', { name: 'alpha', exact: true }).click();
    const details = await textOf('partner-details');
    expect(details).not.toContain('skipped'); // not a call
    expect(details).toContain('lost to a higher bid');
    expect(details).toContain('below_floor');
    expect(details).toContain('up to 25 ms');
    expect(details).toContain('over 1,000 ms');
    await tab.page.getByRole('button', { name: 'alpha' }).click();
    await until('the details are closed', async () => (await tab.page.getByTestId('partner-details').count()) === 0);
  });

  test('an auction opens to its waterfall, and is found by its request id', async () => {
    await open('auctions');
    await tab.page.getByTestId('auction-row').first().waitFor();
    expect(await tab.page.getByTestId('auction-row').count()).toBe(3);
    await tab.page.getByTestId('auction-row').first().click();
    expect(await textOf('auction-details')).toContain('beta won at 1.79 USD');
    expect(await textOf('waterfall')).toContain('hard deadline 500 ms');
    await tab.page.getByTestId('auction-search').fill('request-2');
    await tab.page.keyboard.press('Enter');
    // It is open, although another one was open before.
    await tab.page
      .getByTestId('auction-details')
      .getByText('INVALID_FIELD_TYPE imp[0].bidfloor must be a number')
      .waitFor();
    expect(await tab.page.getByTestId('auction-row').count()).toBe(1);
    await tab.page.getByTestId('auction-search').fill('unknown');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByText('The sample has no auction with the id unknown').waitFor();
  });

  test('an auction is found by the id of its bid request, and one without a bid has the restrictions of its request', async () => {
    const [auction] = tab.admin.data.auctions.auctions;
    const restrictions = [{ field: 'imp[0].bidfloor', reason: 'a bid needs at least 900 USD CPM' }];
    const lost = { requestId: 'request-9', bidRequestId: 'of-the-ssp', outcome: 'no_bid', winners: [], restrictions };
    tab.admin.data.auctions.auctions.push({ ...auction!, ...lost });
    await open('auctions');
    await tab.page.getByTestId('auction-search').fill('of-the-ssp');
    await tab.page.getByRole('button', { name: 'Find' }).click();
    await tab.page.getByTestId('restriction').waitFor();
    expect(await textOf('restriction')).toBe('imp[0].bidfloor a bid needs at least 900 USD CPM');
    expect(await textOf('auction-details')).toContain('No bid: all 3');
  });

  test('bids that the sample does not have are counted', async () => {
    tab.admin.data.auctions.auctions[0]!.partners = [{ ...partners[4]!, omittedBids: 7 }];
    await open('auctions');
    await tab.page.getByTestId('auction-row').first().click();
    expect(await textOf('waterfall')).toContain('7 more bids are not kept.');
  });

  test('an error leads to its latest auction', async () => {
    await open('errors');
    const row = tab.page.getByTestId('error-row').first();
    await row.waitFor();
    expect(await row.textContent()).toMatch(/^pub-42INVALID_FIELD_TYPEimp\[0\]\.bidfloor1,204/);
    await row.getByRole('link').click();
    await tab.page.getByTestId('auction-details').waitFor();
    expect(await textOf('auction-details')).toContain('must be a number; got a string');
  });

  test('the reference has operations, fields with bounds and error codes', async () => {
    await open('reference');
    await tab.page.getByText('Request body: 1 fields').click();
    expect(await textOf('field-row')).toBe('id requiredstring1 to 128 characters');
    expect(await textOf('error-code-row')).toContain('INVALID_FIELD_TYPE');
  });

  test('without an API description the reference says how to get it', async () => {
    delete tab.admin.data.openApi;
    await open('reference');
    expect(await textOf('empty')).toContain('make docs');
  });

  test.each(['errors', 'auctions'])('%s have the date of another day, and only the time of today', async (name) => {
    const earlierMs = Date.UTC(2026, 0, 5, 12);
    const nowMs = Date.now();
    const [error] = tab.admin.data.errors.errors;
    const [auction] = tab.admin.data.auctions.auctions;
    tab.admin.data.errors.errors = [earlierMs, nowMs].map((latestMs) => ({
      ...error!,
      field: `${latestMs}`,
      latestMs,
    }));
    tab.admin.data.auctions.auctions = [earlierMs, nowMs].map((timeMs) => ({ ...auction!, timeMs }));
    await open(name);
    const times = tab.page.locator('td time');
    await times.first().waitFor();
    expect(await times.allTextContents()).toEqual([
      expect.stringMatching(/^2026-01-0\d \d\d:\d\d:\d\d$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d$/),
    ]);
    expect(await times.first().getAttribute('datetime')).toBe('2026-01-05T12:00:00.000Z');
  });

  test.each([360, 1280])('at %i pixels codes and long publisher ids stay on one line', async (width) => {
    const publisher = 'p'.repeat(60);
    tab.admin.data.errors.errors[0]!.publisher = publisher;
    await open('errors');
    await tab.page.setViewportSize({ width, height: 740 });
    const cells = tab.page.getByTestId('error-row').first().locator('td');
    for (const index of [0, 1, 2]) expect((await cells.nth(index).boundingBox())!.height).toBeLessThan(45);
    const shown = cells.first().locator('span');
    expect((await shown.boundingBox())!.width).toBeLessThan(260);
    expect(await shown.getAttribute('title')).toBe(publisher);
  });

  test('empty lists say so', async () => {
    tab.admin.data.auctions.auctions = [];
    tab.admin.data.errors.errors = [];
    await open('auctions');
    await tab.page.getByText('No auctions yet').waitFor();
    await tab.page.getByTestId('nav-errors').click();
    await tab.page.getByText('No request was rejected.').waitFor();
  });

  test('an exchange that is gone is named as the cause', async () => {
    await open('errors');
    await tab.page.getByTestId('error-row').first().waitFor();
    await tab.page.route('**/api/**', (route) => route.abort('connectionrefused'));
    await tab.page.getByRole('button', { name: 'Refresh' }).click();
    const gone = 'The admin server does not respond. Is the exchange running?';
    const text = () => tab.page.getByTestId('failed').locator('p').textContent();
    expect(await text()).toBe(gone);
    await tab.page.getByTestId('nav-playground').click();
    expect(await text()).toBe(gone);
    await tab.page.reload();
    expect(await text()).toBe(gone);
  });

  test('a failed request can be repeated', async () => {
    tab.admin.failing.set('errors', 500);
    await open('errors');
    await tab.page.getByText('The request to the exchange failed: 500').waitFor();
    tab.admin.failing.clear();
    await tab.page.getByRole('button', { name: 'Try again' }).click();
    await tab.page.getByTestId('error-row').first().waitFor();
    expect(await tab.page.getByTestId('failed').count()).toBe(0);
  });
});
