/** The text of the playground and its result: changed during a run, kept when the page is loaded again, sent before the exchange has started. */
import { expect, test } from '@jest/globals';
import { errorResult, examples } from './support/canned.ts';
import { useConsole } from './support/use-console.ts';
import { describeInBrowser } from './support/watched-page.ts';

describeInBrowser('the text of the playground', () => {
  const tab = useConsole();

  const inEditor = (text: string) => tab.page.getByTestId('editor').getByText(text);
  const open = async () => {
    await tab.open();
    await inEditor('"news.example"').waitFor();
  };
  const typeFirst = async (text: string) => {
    await tab.page.getByTestId('editor').locator('.cm-content').click();
    await tab.page.keyboard.press('Control+Home');
    await tab.page.keyboard.insertText(text);
  };

  /** No run ends before the returned function is called. */
  const holdTry = async (): Promise<() => void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await tab.page.route('**/api/try', async (route) => {
      await promise;
      await route.continue();
    });
    return resolve;
  };

  test('a result of an earlier text is marked as such, and marks no line', async () => {
    tab.admin.data.tryResult = errorResult([
      { code: 'INVALID_FIELD_TYPE', field: 'imp[0].bidfloor', reason: 'is wrong' },
    ]);
    await open();
    const endRun = await holdTry();
    await tab.page.getByTestId('run').click();
    await tab.page.getByTestId('example-select').selectOption('invalid');
    await inEditor('"0.5"').waitFor();
    endRun();
    await tab.page.getByTestId('result-status').waitFor();
    expect(await tab.page.getByTestId('outdated').textContent()).toBe('The request has changed since this result.');
    expect(await tab.page.locator('.cm-lintRange-error').count()).toBe(0);
    await tab.page.getByTestId('run').click();
    await tab.page.locator('[data-testid=result][data-ended-runs="2"]').waitFor();
    expect(await tab.page.getByTestId('outdated').count()).toBe(0);
    expect(await tab.page.locator('.cm-lintRange-error').count()).toBe(1);
    await typeFirst(' ');
    await tab.page.getByTestId('outdated').waitFor();
  });

  test('a run goes on while another page is shown, and its result is shown when it ends', async () => {
    await open();
    const endRun = await holdTry();
    await tab.page.getByTestId('run').click();
    await tab.page.getByTestId('nav-errors').click();
    await tab.page.getByTestId('nav-playground').click();
    await tab.page.getByText('Running…').waitFor();
    await tab.page.getByTestId('run').click();
    endRun();
    await tab.page.getByTestId('result-status').waitFor();
    await tab.page.getByText('Run', { exact: true }).waitFor();
    expect(tab.admin.tried).toEqual([examples[0]!.body]);
  });

  test('undoing everything leaves the first text, also after another page', async () => {
    await open();
    await typeFirst(' ');
    await tab.page.getByTestId('nav-errors').click();
    await tab.page.getByTestId('nav-playground').click();
    await inEditor('"news.example"').waitFor();
    await tab.page.getByTestId('editor').locator('.cm-content').click();
    for (let count = 0; count < 3; count++) await tab.page.keyboard.press('Control+Z');
    await tab.page.getByTestId('run').click();
    await tab.page.getByTestId('result-status').waitFor();
    await tab.page.reload();
    await inEditor('"news.example"').waitFor();
    await tab.page.getByTestId('editor').locator('.cm-content').click();
    await tab.page.keyboard.press('Control+Z');
    await tab.page.getByTestId('run').click();
    await tab.page.getByTestId('result-status').waitFor();
    expect(tab.admin.tried).toEqual([` ${examples[0]!.body}`, ` ${examples[0]!.body}`]);
  });

  test('a copied command is no longer said to be copied when it has changed', async () => {
    await open();
    await tab.page.context().grantPermissions(['clipboard-write']);
    await tab.page.getByText('As curl').click();
    await tab.page.getByTestId('copy-curl').click();
    await tab.page.getByText('Copied.').waitFor();
    await typeFirst(' ');
    await tab.page.getByText('Copied.').waitFor({ state: 'detached' });
  });

  test.each([
    [99, '99 problems'],
    [100, 'at least 100 problems'],
  ])('of %i reported problems it says: %s', async (count, text) => {
    const problem = { code: 'INVALID_FIELD_TYPE', field: 'id', reason: 'is wrong' };
    tab.admin.data.tryResult = errorResult(Array.from({ length: count }, () => problem));
    await open();
    await tab.page.getByTestId('run').click();
    await tab.page.locator('.result-status').getByText(`400 ${text} in`).waitFor({ timeout: 5_000 });
  });

  test('a run that fails leaves no marks of the run before', async () => {
    tab.admin.data.tryResult = errorResult([{ code: 'INVALID_FIELD_TYPE', field: 'id', reason: 'is wrong' }]);
    await open();
    await tab.page.getByTestId('run').click();
    await tab.page.locator('.cm-lintRange-error').waitFor();
    tab.admin.failing.set('try', 502);
    await tab.page.getByTestId('run').click();
    await tab.page.getByTestId('failed').waitFor();
    expect(await tab.page.locator('.cm-lintRange-error, .cm-lint-marker-error').count()).toBe(0);
  });

  test('an edited request survives a reload of the page, and the API key does not', async () => {
    await open();
    await typeFirst('\n \n');
    await tab.page.getByText('API key of the publisher').click();
    await tab.page.getByLabel('API key').fill('key-1');
    await tab.page.reload();
    await inEditor('"news.example"').waitFor();
    await tab.page.getByTestId('run').click();
    await tab.page.getByTestId('result-status').waitFor();
    expect(tab.admin.tried).toEqual([`\n \n${examples[0]!.body}`]);
    expect(tab.admin.apiKeys).toEqual([undefined]);
    expect(await tab.page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('key-1');
  });

  test('before the exchange has started, the page says so and reads the session again', async () => {
    tab.admin.endpoint = '';
    await open();
    await tab.page.getByText('The exchange is still starting.').waitFor();
    expect(await tab.page.getByTestId('curl').count()).toBe(0);
    tab.admin.endpoint = 'http://127.0.0.1:8080/openrtb2';
    await tab.page.getByText('As curl').click();
    expect(await tab.page.getByTestId('curl').textContent()).toContain(`'http://127.0.0.1:8080/openrtb2'`);
    expect(await tab.page.getByTestId('starting').count()).toBe(0);
  });

  test('after a restart on another port the curl command has the new address', async () => {
    await open();
    await tab.page.getByText('As curl').click();
    tab.admin.endpoint = 'http://127.0.0.1:8081/openrtb2';
    await tab.page.getByTestId('curl').getByText('http://127.0.0.1:8081/openrtb2').waitFor();
  });

  test('an API key that no header can hold is named as the cause', async () => {
    await open();
    await tab.page.getByText('API key of the publisher').click();
    await tab.page.getByLabel('API key').fill('ключ');
    await tab.page.getByTestId('run').click();
    await tab.page.getByText('The API key has a character that HTTP headers do not permit.').waitFor();
    expect(tab.admin.tried).toEqual([]);
  });
});
