/** Narrow screens: names that stay in view, and a result that comes into view. */
import { expect, test } from '@jest/globals';
import { until } from '../support/until.ts';
import { useConsole } from './support/use-console.ts';
import { describeInBrowser } from './support/watched-page.ts';

const viewport = { width: 360, height: 740 };

describeInBrowser('on a narrow screen', () => {
  const tab = useConsole();

  test('the names of partners stay in view when the table scrolls', async () => {
    await tab.open('#/partners', { viewport });
    const name = tab.page.getByRole('button', { name: 'alpha' });
    const before = (await name.boundingBox())!;
    await tab.page.locator('.scroll').evaluate((one) => one.scrollBy(600, 0));
    await until('the table has scrolled', () => tab.page.locator('.scroll').evaluate((one) => one.scrollLeft > 100));
    const after = (await name.boundingBox())!;
    expect(Math.abs(after.x - before.x)).toBeLessThan(5);
  });

  test.each(['reduce', 'no-preference'] as const)('the result of a run comes into view (%s)', async (reducedMotion) => {
    await tab.open('', { viewport, reducedMotion });
    await tab.page.getByTestId('editor').getByText('"news.example"').waitFor();
    const top = () =>
      tab.page.evaluate<number>(`document.querySelector('#result-heading').getBoundingClientRect().top`);
    await tab.page.evaluate('scrollTo(0, 0)');
    expect(await top()).toBeGreaterThan(viewport.height * 0.8);
    await tab.page.getByTestId('run').click();
    await tab.page.getByTestId('result-status').waitFor();
    await until('it is in view', async () => Math.abs(await top()) < 10);
  });

  test('a result that is in view does not move the page', async () => {
    await tab.open('', { viewport: { width: 1280, height: 900 } });
    await tab.page.getByTestId('editor').getByText('"news.example"').waitFor();
    await tab.page.getByTestId('run').click();
    await tab.page.locator('[data-testid=result][data-ended-runs="1"]').waitFor();
    await tab.page.getByTestId('waterfall').waitFor();
    expect(await tab.page.evaluate('scrollY')).toBe(0);
  });
});
