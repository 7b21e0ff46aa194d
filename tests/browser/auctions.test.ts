/** The auctions page: a search that loads or fails, and text that can be copied. */
import { expect, test } from '@jest/globals';
import { useConsole } from './support/use-console.ts';
import { describeInBrowser } from './support/watched-page.ts';

describeInBrowser('the auctions page', () => {
  const tab = useConsole();

  const search = async (id: string) => {
    await tab.page.getByTestId('auction-search').fill(id);
    await tab.page.keyboard.press('Enter');
  };

  test('a search that loads or fails does not say that the sample lacks the auction', async () => {
    await tab.open('#/auctions?id=unknown');
    await tab.page.getByText('The sample has no auction with the id unknown').waitFor();
    const gate = Promise.withResolvers<void>();
    await tab.page.route('**/api/auctions?id=request-2', async (route) => {
      await gate.promise;
      await route.fulfill({ status: 500 });
    });
    await search('request-2');
    await tab.page.getByText('Loading…').waitFor();
    expect(await tab.page.getByTestId('empty').count()).toBe(0);
    gate.resolve();
    await tab.page.getByTestId('failed').waitFor();
    expect(await tab.page.getByTestId('empty').count()).toBe(0);
    expect(await tab.page.getByTestId('auction-row').count()).toBe(0);
  });

  test('an open auction shows its ids and its publisher in full, as text', async () => {
    const publisher = 'p'.repeat(60);
    tab.admin.data.auctions = { auctions: [{ ...tab.admin.data.auctions.auctions[0]!, publisher }] };
    await tab.open('#/auctions');
    await tab.page.getByTestId('auction-row').click();
    const facts = tab.page.getByTestId('auction-details').locator('dd');
    expect(await facts.allTextContents()).toEqual(['request-1', 'req-1', publisher, 'news.example']);
    await facts.first().dblclick();
    expect(await tab.page.evaluate('getSelection().toString()')).toContain('request');
  });

  test('it says that auctions are missing if a worker has not replied', async () => {
    await tab.open('#/auctions');
    await tab.page.getByTestId('auction-row').first().waitFor();
    expect(await tab.page.getByTestId('missing-workers').count()).toBe(0);
    tab.admin.data.auctions = { ...tab.admin.data.auctions, missingWorkers: 1 };
    await tab.page.getByText('Refresh').click();
    const text = await tab.page.getByTestId('missing-workers').textContent();
    expect(text).toBe('1 worker has not replied: its auctions are missing here.');
  });

  test('selecting text in a row does not open it, and its button does', async () => {
    await tab.open('#/auctions');
    const row = tab.page.getByTestId('auction-row').first();
    const site = row.getByText('news.example');
    const { x, y, width, height } = (await site.boundingBox())!;
    await tab.page.mouse.move(x + 1, y + height / 2);
    await tab.page.mouse.down();
    await tab.page.mouse.move(x + width - 1, y + height / 2, { steps: 4 });
    await tab.page.mouse.up();
    expect(await tab.page.evaluate('getSelection().toString()')).toContain('news');
    expect(await tab.page.getByTestId('auction-details').count()).toBe(0);
    await row.getByRole('button').press('Enter');
    await tab.page.getByTestId('auction-details').waitFor();
  });

  test('a refresh that fails keeps the auctions', async () => {
    await tab.open('#/auctions');
    await tab.page.getByTestId('auction-row').first().waitFor();
    tab.admin.failing.set('auctions', 500);
    await tab.page.getByRole('button', { name: 'Refresh' }).click();
    await tab.page.getByTestId('failed').waitFor();
    expect(await tab.page.getByTestId('auction-row').count()).toBe(3);
  });
});
