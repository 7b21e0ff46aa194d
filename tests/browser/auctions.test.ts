/** The auctions page: what a search shows while it loads and when it fails. */
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

  test('a refresh that fails keeps the auctions', async () => {
    await tab.open('#/auctions');
    await tab.page.getByTestId('auction-row').first().waitFor();
    tab.admin.failing.set('auctions', 500);
    await tab.page.getByRole('button', { name: 'Refresh' }).click();
    await tab.page.getByTestId('failed').waitFor();
    expect(await tab.page.getByTestId('auction-row').count()).toBe(3);
  });
});
