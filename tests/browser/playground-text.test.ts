/** The text of the playground and its result: changed during a run, kept when the page is loaded again, sent before the exchange has started. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { errorResult, examples, healthy } from './support/canned.ts';
import { FakeAdmin } from './support/fake-admin.ts';
import { launchChromium } from './support/launch-chromium.ts';
import { describeInBrowser, openPage, type WatchedPage } from './support/watched-page.ts';

describeInBrowser('the text of the playground', () => {
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

  const inEditor = (text: string) => page.getByTestId('editor').getByText(text);
  const open = async () => {
    opened = await openPage(browser, admin.url);
    ({ page } = opened);
    await inEditor('"news.example"').waitFor();
  };
  const typeFirst = async (text: string) => {
    await page.getByTestId('editor').locator('.cm-content').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText(text);
  };

  test('a result of an earlier text is marked as such, and marks no line', async () => {
    admin.data.tryResult = errorResult([{ code: 'INVALID_FIELD_TYPE', field: 'imp[0].bidfloor', reason: 'is wrong' }]);
    await open();
    const gate = Promise.withResolvers<void>();
    await page.route('**/api/try', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.getByTestId('run').click();
    await page.getByTestId('example-select').selectOption('invalid');
    await inEditor('"0.5"').waitFor();
    gate.resolve();
    await page.getByTestId('result-status').waitFor();
    expect(await page.getByTestId('outdated').textContent()).toBe('The request has changed since this result.');
    expect(await page.locator('.cm-lintRange-error').count()).toBe(0);
    await page.getByTestId('run').click();
    await page.locator('[data-testid=result][data-ended-runs="2"]').waitFor();
    expect(await page.getByTestId('outdated').count()).toBe(0);
    expect(await page.locator('.cm-lintRange-error').count()).toBe(1);
    await typeFirst(' ');
    await page.getByTestId('outdated').waitFor();
  });

  test('an edited request survives a reload of the page, and the API key does not', async () => {
    await open();
    await typeFirst('\n \n');
    await page.getByText('API key of the publisher').click();
    await page.getByLabel('API key').fill('key-1');
    await page.reload();
    await inEditor('"news.example"').waitFor();
    await page.getByTestId('run').click();
    await page.getByTestId('result-status').waitFor();
    expect(admin.tried).toEqual([`\n \n${examples[0]!.body}`]);
    expect(admin.apiKeys).toEqual([undefined]);
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('key-1');
  });

  test('before the exchange has started, the page says so and reads the session again', async () => {
    admin.endpoint = '';
    await open();
    await page.getByText('The exchange is still starting.').waitFor();
    expect(await page.getByTestId('curl').count()).toBe(0);
    admin.endpoint = 'http://127.0.0.1:8080/openrtb2';
    await page.getByText('As curl').click();
    expect(await page.getByTestId('curl').textContent()).toContain(`'http://127.0.0.1:8080/openrtb2'`);
    expect(await page.getByTestId('starting').count()).toBe(0);
  });

  test('an API key that no header can hold is named as the cause', async () => {
    await open();
    await page.getByText('API key of the publisher').click();
    await page.getByLabel('API key').fill('ключ');
    await page.getByTestId('run').click();
    await page.getByText('The API key has a character that HTTP headers do not permit.').waitFor();
    expect(admin.tried).toEqual([]);
  });
});
