/** The playground: problems at their lines, the auction, and the ad. */
import { beforeEach, expect, test } from '@jest/globals';
import { until } from '../support/until.ts';
import { bidResult, errorResult, examples, partners, warnings } from './support/canned.ts';
import { useConsole } from './support/use-console.ts';
import { describeInBrowser } from './support/watched-page.ts';

describeInBrowser('the playground', () => {
  const tab = useConsole();
  beforeEach(async () => {
    await tab.open();
    await inEditor('"news.example"').waitFor();
  });

  const inEditor = (text: string) => tab.page.getByTestId('editor').getByText(text);
  const run = async () => {
    await tab.page.getByTestId('run').click();
    await tab.page.getByTestId('result-status').waitFor();
  };
  /** The text of the lines that have a marked range. */
  const markedLines = (severity: 'error' | 'warning') =>
    tab.page.locator('.cm-line', { has: tab.page.locator(`.cm-lintRange-${severity}`) }).allTextContents();

  test('the first example is in the editor, and another can be chosen', async () => {
    await tab.page.getByTestId('example-select').selectOption('invalid');
    await inEditor('"0.5"').waitFor();
    await run();
    expect(tab.admin.tried).toEqual([examples[1]!.body]);
  });

  test('an edited example is named Custom, and can be chosen again', async () => {
    const select = tab.page.getByTestId('example-select');
    const shown = () => select.locator('option:checked').textContent();
    expect(await shown()).toBe(examples[0]!.title);
    await tab.page.getByTestId('editor').locator('.cm-content').click();
    await tab.page.keyboard.press('Control+Home');
    await tab.page.keyboard.type(' ');
    await until('it is custom', async () => (await shown()) === 'Custom');
    await tab.page.getByTestId('nav-errors').click();
    await tab.page.getByTestId('nav-playground').click();
    await inEditor('"news.example"').waitFor();
    expect(await shown()).toBe('Custom');
    await select.selectOption(examples[0]!.name);
    await until('it is the example', async () => (await shown()) === examples[0]!.title);
    expect(await select.getByText('Custom').count()).toBe(0);
    await run();
    expect(tab.admin.tried).toEqual([examples[0]!.body]);
  });

  test('a valid request shows its status, timing, headers and level', async () => {
    await run();
    expect(await tab.page.getByTestId('result-status').textContent()).toBe('200');
    await tab.page.getByText('one winning bid').waitFor();
    await tab.page.getByText('integration level 1').waitFor();
    await tab.page.getByText('Response headers and body').click();
    expect(await tab.page.getByTestId('result-headers').textContent()).toContain('X-Request-Idrequest-1');
    expect(await tab.page.getByTestId('problem').count()).toBe(0);
  });

  test('the waterfall has a bar per partner, the deadlines, the price, and why bids were dropped or lost', async () => {
    await run();
    const rows = tab.page.getByTestId('waterfall').locator('ol > li');
    expect(await rows.count()).toBe(5);
    expect(await tab.page.getByTestId('waterfall').textContent()).toContain('soft deadline 150 ms');
    expect(await tab.page.getByTestId('waterfall').textContent()).toContain('hard deadline 500 ms');
    expect(await rows.nth(1).textContent()).toContain('won 1.79 USD');
    expect(await rows.nth(2).textContent()).toContain('blocked_advertiser badv contains fairlead.example');
    expect(await rows.nth(4).textContent()).toContain('lost at 0.60 USD to beta at 1.79 USD');
    const [late, hard] = await Promise.all([
      rows.nth(0).locator('.bar').boundingBox(),
      rows.nth(0).locator('.mark.hard').boundingBox(),
    ]);
    expect(late!.width).toBeGreaterThan(20);
    expect(hard!.x).toBeGreaterThan(late!.x + late!.width);
  });

  test('a partner that was not called has no duration and no bar', async () => {
    const skipped = { ...partners[3]!, outcome: 'skipped', startMs: 0, durationMs: 0.23 };
    tab.admin.data.tryResult = bidResult({ partners: [partners[1]!, skipped] });
    await run();
    const row = tab.page.locator('[data-partner=gamma]');
    expect((await row.locator('.end').textContent())!.trim()).toBe('skipped');
    expect(await row.locator('.bar').count()).toBe(0);
    expect(await tab.page.locator('[data-partner=beta] .bar').count()).toBe(1);
  });

  test('the ad is a card; its image loads only on a click', async () => {
    await run();
    const card = tab.page.getByTestId('ad-preview');
    expect(await card.textContent()).toContain('A desk that gets up when you do');
    expect(await card.textContent()).toContain('Sponsored by Uprise');
    expect(await card.getByRole('link', { name: 'https://uprise.example/standing-desk' }).getAttribute('rel')).toBe(
      'noopener noreferrer',
    );
    expect(await card.locator('img').count()).toBe(0);
    const image = { contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' };
    await tab.page.route('https://uprise.example/**', (route) => route.fulfill(image));
    await card.getByRole('button', { name: 'Load image' }).click();
    await card.locator('img').waitFor({ state: 'attached' });
    await until('the image is requested', () => tab.watched.offences.length > 0);
    expect(tab.watched.offences.splice(0)).toEqual(['request to https://uprise.example/desk.jpg']);
  });

  test('the image of the next run is not loaded, though one of the run before was', async () => {
    await run();
    const image = { contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' };
    await tab.page.route('https://uprise.example/**', (route) => route.fulfill(image));
    const card = tab.page.getByTestId('ad-preview');
    await card.getByRole('button', { name: 'Load image' }).click();
    await card.locator('img').waitFor({ state: 'attached' });
    await until('the image is requested', () => tab.watched.offences.splice(0).length > 0);
    await tab.page.getByTestId('run').click();
    await tab.page.locator('[data-testid=result][data-ended-runs="2"]').waitFor();
    await card.getByRole('button', { name: 'Load image' }).waitFor();
    expect(await card.locator('img').count()).toBe(0);
  });

  test('the button keeps the focus when it is pressed', async () => {
    await tab.page.getByTestId('run').focus();
    await tab.page.keyboard.press('Enter');
    await tab.page.getByTestId('result-status').waitFor();
    expect(await tab.page.evaluate('document.activeElement.dataset.testid')).toBe('run');
  });

  test('every problem is listed in the order of lines and marked at its own; a click selects it', async () => {
    tab.admin.data.tryResult = errorResult([
      { code: 'INVALID_FIELD_TYPE', field: 'imp[0].bidfloor', reason: 'must be a number; got a string' },
      { code: 'INVALID_FIELD_VALUE', field: 'imp[0].native.request', reason: 'assets[1].img.wmin: must be at least 1' },
      { code: 'MISSING_REQUIRED_FIELD', field: 'user.id', reason: 'is required' },
    ]);
    await run();
    const problems = tab.page.getByTestId('problem');
    expect(await problems.count()).toBe(3);
    expect(await problems.nth(2).textContent()).toContain(
      'INVALID_FIELD_TYPE imp[0].bidfloor must be a number; got a string',
    );
    expect(await problems.nth(2).textContent()).toContain('line 10');
    const lines = await markedLines('error');
    expect(lines.map((line) => line.trim().slice(0, 10))).toEqual(['{', '"request":', '"bidfloor"']);
    expect(await tab.page.locator('.cm-lint-marker-error').count()).toBe(3);
    await problems.nth(1).click();
    expect(await tab.page.evaluate('document.activeElement.dataset.testid')).toBe('editor');
    await tab.page.keyboard.type('777');
    await inEditor(String.raw`\"wmin\":777,`).waitFor();
  });

  test('a JSON error is marked at its position', async () => {
    const position = examples[0]!.body.indexOf('"site"');
    const reason = `unexpected "s" at position ${position} (line 13, column 3)`;
    tab.admin.data.tryResult = errorResult([{ code: 'INVALID_REQUEST', reason }]);
    await run();
    expect((await markedLines('error')).map((line) => line.trim())).toEqual(['"site": {']);
  });

  test('JSON that is not closed has its error on the line that the reason names', async () => {
    await tab.page.getByTestId('editor').locator('.cm-content').click();
    await tab.page.keyboard.press('Control+A');
    await tab.page.keyboard.insertText('{"id": "1"\n');
    const reason = `the object that starts at position 0 is not closed at position 11 (line 2, column 1)`;
    tab.admin.data.tryResult = errorResult([{ code: 'INVALID_REQUEST', reason }]);
    await run();
    expect(await tab.page.getByTestId('problem').textContent()).toMatch(/ line 2$/);
    const [marker, last] = await Promise.all([
      tab.page.locator('.cm-lint-marker-error').boundingBox(),
      tab.page.locator('.cm-line').last().boundingBox(),
    ]);
    expect(Math.abs(marker!.y - last!.y)).toBeLessThan(10);
  });

  test('F8 shows the problem of the first line below it, where it covers no control', async () => {
    const problem = { code: 'MISSING_REQUIRED_FIELD', field: 'user.id', reason: 'is required '.repeat(20) };
    tab.admin.data.tryResult = errorResult([problem]);
    await run();
    await tab.page.getByTestId('editor').locator('.cm-content').click();
    await tab.page.keyboard.press('F8');
    const tooltip = tab.page.locator('.cm-tooltip');
    await tooltip.waitFor();
    const [shown, line] = await Promise.all([
      tooltip.boundingBox(),
      tab.page.locator('.cm-line').first().boundingBox(),
    ]);
    expect(shown!.y).toBeGreaterThanOrEqual(line!.y + line!.height / 2);
  });

  test('warnings are listed and marked at the nearest place', async () => {
    tab.admin.data.tryResult = bidResult({ warnings });
    await run();
    expect(await tab.page.getByTestId('warning').textContent()).toContain(
      'CONSENT_UNUSABLE user.ext.consent GDPR applies',
    );
    expect(await markedLines('warning')).toEqual(['{']);
    expect(await tab.page.getByTestId('ad-preview').count()).toBe(1);
  });

  test('a problem without a place cannot be clicked', async () => {
    tab.admin.data.tryResult = errorResult([
      { code: 'RATE_LIMIT_EXCEEDED', reason: 'rate limit exceeded for this IP address' },
    ]);
    await run();
    expect(await tab.page.getByTestId('problem').isDisabled()).toBe(true);
  });

  test('no bid is explained', async () => {
    const dropped = [{ reason: 'below_floor', detail: '0.4 is below 0.5', impid: '1' }];
    const partner = { name: 'beta', outcome: 'bid', durationMs: 1, bids: 1, rejected: dropped, lost: [] };
    tab.admin.data.tryResult = bidResult({ seatbid: [], partners: [partner] });
    await run();
    await tab.page.getByText('no bid: the only one was dropped').waitFor();
    expect(await tab.page.getByTestId('waterfall').textContent()).toContain('below_floor 0.4 is below 0.5');
    expect(await tab.page.getByTestId('ad-preview').count()).toBe(0);
  });

  test('a run that fails says so, and the next one works', async () => {
    tab.admin.failing.set('try', 502);
    await tab.page.getByTestId('run').click();
    await tab.page.getByText('The request to the exchange failed: 502').waitFor();
    tab.admin.failing.clear();
    await run();
    expect(await tab.page.getByTestId('failed').count()).toBe(0);
  });

  test('the request is shown as curl', async () => {
    await tab.page.getByText('As curl').click();
    const command = await tab.page.getByTestId('curl').textContent();
    expect(command).toContain(`curl -i 'http://127.0.0.1:8080/openrtb2'`);
    expect(command).toContain('"test": 1');
    await tab.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await tab.page.getByTestId('copy-curl').click();
    await tab.page.getByText('Copied.').waitFor();
    expect(await tab.page.evaluate('navigator.clipboard.readText()')).toBe(command);
  });

  test('an API key is sent with the request, named in curl and forgotten with the page', async () => {
    await tab.page.getByText('API key of the publisher').click();
    await tab.page.getByLabel('API key').fill(' key-1 ');
    await run();
    expect(tab.admin.apiKeys).toEqual(['key-1']);
    await tab.page.getByText('As curl').click();
    expect(await tab.page.getByTestId('curl').textContent()).toContain('-H "Authorization: Bearer $API_KEY"');
    await tab.page.getByTestId('nav-errors').click();
    await tab.page.getByTestId('nav-playground').click();
    await tab.page.getByText('API key of the publisher').click();
    expect(await tab.page.getByLabel('API key').inputValue()).toBe('');
  });

  test('text and result survive a visit to another page', async () => {
    await tab.page.getByTestId('example-select').selectOption('invalid');
    await run();
    await tab.page.getByTestId('nav-errors').click();
    await tab.page.getByTestId('error-row').first().waitFor();
    await tab.page.getByTestId('nav-playground').click();
    await inEditor('"0.5"').waitFor();
    expect(await tab.page.getByTestId('result-status').textContent()).toBe('200');
  });
});
