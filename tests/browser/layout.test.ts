/** Where things are: long names in the waterfall, fields on a narrow screen, the legends of plots. */
import { expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { bidResult, partners } from './support/canned.ts';
import { useConsole } from './support/use-console.ts';
import { describeInBrowser } from './support/watched-page.ts';

describeInBrowser('the layout', () => {
  const tab = useConsole();

  const boxOf = async (one: Locator) => (await one.boundingBox())!;

  test('a long name of a partner does not push its bids away from its bar', async () => {
    const name = 'a-partner-with-a-long-name-in-production-europe-west-1';
    tab.admin.data.tryResult = bidResult({ partners: [{ ...partners[4]!, name }] });
    await tab.open('', { viewport: { width: 1280, height: 900 } });
    await tab.page.getByTestId('editor').getByText('"news.example"').waitFor();
    await tab.page.getByTestId('run').click();
    const row = tab.page.locator(`[data-partner="${name}"]`);
    const [track, results] = [await boxOf(row.locator('.track')), await boxOf(row.locator('.bid-results'))];
    expect(results.y - (track.y + track.height)).toBeLessThan(10);
  });

  test('the names of fields stay readable on a narrow screen', async () => {
    await tab.open('#/reference', { viewport: { width: 360, height: 740 } });
    await tab.page.getByText('Request body: ').click();
    const cell = tab.page.getByTestId('field-row').first().locator('td').first();
    expect((await boxOf(cell)).width).toBeGreaterThan(160);
  });

  test('the legends of plots have no lines of tables', async () => {
    await tab.open('#/live');
    await tab.page.getByTestId('plot-latency').locator('.u-legend').waitFor();
    const width = `getComputedStyle(document.querySelector('.u-legend .u-value')).borderBottomWidth`;
    expect(await tab.page.evaluate(width)).toBe('0px');
  });
});
