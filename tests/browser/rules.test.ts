/** Rules of every page: login, size, keyboard, narrow screens, contrast, and markup that stays inert. */
import { expect, test } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { until } from '../support/until.ts';
import { bidResult, healthy, partners } from './support/canned.ts';
import { lowContrast } from './support/contrast.ts';
import { liveSample, partnerSample } from './support/samples.ts';
import { useConsole } from './support/use-console.ts';
import { describeInBrowser } from './support/watched-page.ts';

const maxBytes = 300 * 1024;
const pages = ['playground', 'live', 'partners', 'auctions', 'errors', 'reference'];
/** An element that each page shows once it has its data. */
const shown: Record<string, string> = {
  playground: 'result-status',
  live: 'plot-latency',
  partners: 'partner-row',
  auctions: 'auction-row',
  errors: 'error-row',
  reference: 'operation',
};

describeInBrowser('the rules', () => {
  const tab = useConsole();

  const open = (hash = '', options: BrowserContextOptions = {}) => tab.open(hash, options);
  /** Opens each page with data, the playground with a result. */
  const visitAll = async (visit: (name: string) => Promise<void>) => {
    await tab.page.getByTestId('editor').getByText('"news.example"').waitFor();
    await tab.page.getByTestId('run').click();
    for (const name of pages) {
      await tab.page.getByTestId(`nav-${name}`).click();
      await tab.page.getByTestId(shown[name]!).first().waitFor();
      for (const row of ['partner-row', 'auction-row'])
        if (shown[name] === row) await tab.page.getByTestId(row).first().click();
      await visit(name);
    }
  };

  test('all pages together transfer less than 300 KB, the reference and the data apart', async () => {
    const sizes: Promise<number>[] = [];
    await tab.openUrl('about:blank');
    tab.page.on('requestfinished', (request) => {
      if (request.url().includes('/console/') && !request.url().includes('/api/'))
        sizes.push(
          request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
        );
    });
    await tab.page.goto(tab.admin.url);
    await visitAll(async () => {});
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(sizes.length).toBeGreaterThanOrEqual(3);
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThan(maxBytes);
    tab.watched.offences.splice(0); // the address before was about:blank
  });

  test('the policy is enforced: a page that injects a style element is reported', async () => {
    await open();
    await tab.page.evaluate(
      `document.head.append(Object.assign(document.createElement('style'), { textContent: 'a{}' }))`,
    );
    await until('the violation is reported', () => tab.watched.offences.length > 0);
    expect(tab.watched.offences.splice(0).join()).toMatch(/content security policy/i);
  });

  test('with a token the console asks for it; a wrong one is refused', async () => {
    tab.admin.data.token = 'secret';
    await open('#/errors');
    await tab.page.getByLabel('Admin token').fill('wrong');
    expect(await tab.page.getByTestId('session-ended').count()).toBe(0);
    await tab.page.keyboard.press('Enter');
    await tab.page.getByText('The token is wrong.').waitFor();
    expect(await tab.page.getByTestId('nav-live').count()).toBe(0);
    await tab.page.getByLabel('Admin token').fill('secret');
    await tab.page.getByTestId('login-submit').click();
    await tab.page.getByTestId('error-row').first().waitFor();
    expect(await tab.page.evaluate('document.activeElement.textContent')).toBe('Errors'); // the heading
    expect(await tab.page.evaluate('document.cookie')).toBe('');
  });

  test.each(['errors', 'live'])('a session that is over brings back the login on %s', async (name) => {
    await open(`#/${name}`);
    await tab.page.getByTestId(shown[name]!).first().waitFor();
    tab.admin.data.token = 'secret';
    tab.admin.dropStreams();
    if (name === 'errors') await tab.page.getByRole('button', { name: 'Refresh' }).click();
    await tab.page.getByTestId('login').waitFor();
    await tab.page.getByText('The session has ended. Log in again.').waitFor();
    await until('the title is that of the login', async () => (await tab.page.title()) === 'Log in – Gavel console');
    await tab.page.keyboard.type('secret'); // the field has the focus
    await tab.page.keyboard.press('Enter');
    await tab.page.getByTestId(shown[name]!).first().waitFor();
    await until('the title is that of the page', async () => /^(Errors|Live) /.test(await tab.page.title()));
  });

  test('script in every text of an ad and of a report is inert', async () => {
    const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script><style>*{display:none}</style>`;
    const scriptUrl = `javascript:alert(3)`;
    const assets = [
      { id: 1, title: { text: hostile } },
      { id: 2, img: { url: scriptUrl, w: 1, h: 1 } },
      { id: 5, img: { url: `https://x.example/"onerror="alert(4)`, w: 1, h: 1 } },
      { id: 6, img: { url: 'http://x.example/a.png' } },
      { id: 3, data: { value: hostile } },
      { id: 4, data: { value: hostile } },
      { id: 7, data: { type: 3, value: hostile } },
      { id: 8, video: { vasttag: hostile } },
    ];
    const bid = {
      impid: hostile,
      price: 1,
      adm: JSON.stringify({ assets, link: { url: scriptUrl }, jstracker: 'alert(5)' }),
      adomain: [hostile],
    };
    const partner = {
      ...partners[1]!,
      name: hostile,
      outcome: hostile,
      rejected: [{ reason: hostile, detail: hostile, impid: hostile }],
    };
    const warning = { code: hostile, field: hostile, message: hostile };
    const result = bidResult({ seatbid: [{ seat: hostile, bid: [bid] }], partners: [partner], warnings: [warning] });
    tab.admin.data.tryResult = { ...result, headers: [[hostile, hostile]] };
    await open();
    await tab.page.getByTestId('editor').getByText('"news.example"').waitFor();
    await tab.page.getByTestId('run').click();
    const card = tab.page.getByTestId('ad-preview');
    await card.waitFor();
    expect(await card.locator('h4').textContent()).toBe(hostile);
    expect(await tab.page.getByTestId('waterfall').textContent()).toContain(hostile);
    expect(await tab.page.locator('#app').locator('script, style, iframe, img').count()).toBe(0);
    const targets = await card.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    for (const target of targets) expect(target).toMatch(/^https?:/);
    expect(await card.getByRole('button', { name: 'Load image' }).count()).toBe(1);
    await tab.page.locator('.cm-lint-marker-warning').first().hover();
    await tab.page.locator('.cm-tooltip').waitFor();
    expect(await tab.page.locator('.cm-tooltip').locator('script, style, img').count()).toBe(0);
  });

  test('hostile auctions and errors are inert', async () => {
    const hostile = `<img src=x onerror="alert(1)">`;
    const [auction] = healthy().auctions.auctions;
    const error = { code: hostile, field: hostile, reason: hostile };
    const names = { requestId: hostile, bidRequestId: hostile, publisher: hostile, site: hostile, outcome: hostile };
    tab.admin.data.auctions.auctions = [{ ...auction!, ...names, error }];
    tab.admin.data.errors.errors = [{ publisher: hostile, ...error, count: 1, latestRequestId: hostile, latestMs: 0 }];
    await open('#/errors');
    await tab.page.getByTestId('error-row').getByRole('link').click();
    await tab.page.getByTestId('auction-details').waitFor();
    expect(await tab.page.getByTestId('auction-search').inputValue()).toBe(hostile);
    expect(await tab.page.locator('#app').locator('img').count()).toBe(0);
  });

  test('the keyboard alone is enough to run, read a problem, change pages and open a row', async () => {
    await open();
    await tab.page.getByTestId('editor').getByText('"news.example"').waitFor();
    const focused = () =>
      tab.page.evaluate<string>(`document.activeElement.dataset.testid ?? document.activeElement.textContent`);
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 30 && (await focused()) !== name; presses += 1)
        await tab.page.keyboard.press('Tab');
      expect(await focused()).toBe(name);
    };
    await tabTo('example-select');
    await tab.page.keyboard.press('ArrowDown');
    await tab.page.getByTestId('editor').getByText('"0.5"').waitFor();
    await tabTo('editor');
    await tab.page.keyboard.press('Control+Enter');
    await tab.page.getByTestId('result-status').waitFor();
    expect(tab.admin.tried).toHaveLength(1);
    await tab.page.keyboard.press('Tab');
    expect(await focused()).not.toBe('editor'); // Tab leaves the editor
    await tabTo('nav-partners');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByTestId('partner-row').first().waitFor();
    expect(await focused()).toBe('Partners'); // the heading of the new page
    await tabTo('alpha');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByTestId('partner-details').waitFor();
  });

  test('the editor has a description for screen readers', async () => {
    await open();
    const content = tab.page.getByTestId('editor').locator('.cm-content');
    await content.waitFor();
    const description = await content.evaluate((one) => {
      const root = one.getRootNode() as unknown as { getElementById(id: string): { textContent: string } | null };
      return root.getElementById(one.getAttribute('aria-describedby'))?.textContent;
    });
    expect(description).toMatch(/^Ctrl-Enter runs the request/);
  });

  test('on a screen of 360 pixels no page scrolls sideways', async () => {
    await open('', { viewport: { width: 360, height: 740 } });
    await visitAll(async (name) => {
      const overflow = await tab.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect([name, overflow]).toEqual([name, 0]);
    });
  });

  test('long names wrap on a screen of 360 pixels, and many winners do', async () => {
    const name = 'x'.repeat(64);
    const bid = { impid: name, price: 1, adm: '{}', adomain: [name] };
    tab.admin.data.tryResult = bidResult({
      seatbid: [{ seat: name, bid: [bid] }],
      partners: [{ ...partners[1]!, name }],
    });
    const [auction] = tab.admin.data.auctions.auctions;
    const winners = Array.from({ length: 10 }, () => ({ impid: name, partner: name, price: 1, currency: 'USD' }));
    tab.admin.data.auctions.auctions = [{ ...auction!, winners, unsold: [name] }];
    const partner = partnerSample(name, { outcomes: { bid: 1 }, dropped: { [name]: 1 } });
    tab.admin.data.nextSample = () => liveSample(Math.floor(Date.now() / 1_000), { partners: [partner] });
    tab.admin.data.history.samples = [];
    await open('', { viewport: { width: 360, height: 740 } });
    await visitAll(async (shownPage) => {
      const overflow = await tab.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect([shownPage, overflow]).toEqual([shownPage, 0]);
      const overlaps = await tab.page.evaluate<number>(
        `[...document.querySelectorAll('.details h2, .counts span, .auction-details p')].filter((one) => one.scrollWidth > one.parentElement.clientWidth + 1 || one.scrollWidth > one.getBoundingClientRect().width + 1 && getComputedStyle(one).display !== 'inline').length`,
      );
      expect([shownPage, overlaps]).toEqual([shownPage, 0]);
    });
    await tab.page.getByTestId('nav-auctions').click();
    const prices = tab.page.getByTestId('auction-row').first().locator('td').nth(4);
    expect((await prices.boundingBox())!.width).toBeLessThan(250);
  });

  test.each(['light', 'dark'] as const)(
    'in %s mode every text has a contrast of at least 4.5 to 1',
    async (colorScheme) => {
      await open('', { colorScheme });
      await visitAll(async (name) => expect([name, await tab.page.evaluate(lowContrast)]).toEqual([name, []]));
    },
  );

  test('every page has one main heading, no heading skips a level, and every control has a name', async () => {
    await open();
    await visitAll(async (name) => {
      expect([name, await tab.page.locator('h1').count()]).toEqual([name, 1]);
      const levels = await tab.page
        .locator('h1, h2, h3, h4')
        .evaluateAll((headings) =>
          headings.filter((one) => one.checkVisibility()).map(({ tagName }) => Number(tagName[1])),
        );
      expect([name, levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)]).toEqual([name, []]);
      const unnamed = await tab.page.evaluate(
        `[...document.querySelectorAll('button, a, input, select')].filter((one) => !(one.textContent.trim() || one.labels?.length || one.ariaLabel)).length`,
      );
      expect([name, unnamed]).toEqual([name, 0]);
    });
  });
});
