/** The stream of live and partners: lost, silent, refused, and in a hidden tab. */
import { expect, test } from '@jest/globals';
import { until } from '../support/until.ts';
import { useConsole } from './support/use-console.ts';
import { describeInBrowser } from './support/watched-page.ts';

describeInBrowser('the stream', () => {
  const tab = useConsole();

  const open = async (hash: string) => {
    await tab.open(`#/${hash}`);
  };
  const latestOf = async (testid: string) => Number(await tab.page.getByTestId(testid).getAttribute('data-latest'));

  test('live reconnects after the stream was lost', async () => {
    await open('live');
    await tab.page.getByText('Connected').waitFor();
    const first = await latestOf('plot-latency');
    await until('the stream is open', async () => (await latestOf('plot-latency')) > first);
    tab.admin.failing.set('history', 503);
    tab.admin.dropStreams();
    await tab.page.getByText('Connection lost. Reconnecting…').waitFor();
    tab.admin.failing.clear();
    await tab.page.getByText('Connected').waitFor();
    const before = await latestOf('plot-latency');
    await until('samples arrive again', async () => (await latestOf('plot-latency')) > before);
  });

  test('values that are not of now are dimmed, and their time is shown', async () => {
    for (const name of ['live', 'partners']) {
      tab.admin.failing.clear();
      await open(name);
      const value = '.metrics dd, [data-testid=partner-row] td';
      await tab.page.locator(value).first().waitFor();
      const colour = () => tab.page.evaluate<string>(`getComputedStyle(document.querySelector('${value}')).color`);
      await tab.page
        .getByTestId('stream-state')
        .getByText(/^Connected$/)
        .waitFor();
      const before = await colour();
      tab.admin.failing.set('history', 503);
      tab.admin.dropStreams();
      await tab.page
        .getByTestId('stream-state')
        .getByText(/Connection lost. Reconnecting… The latest values are from \d\d:\d\d:\d\d\.$/)
        .waitFor();
      expect(await colour()).not.toBe(before);
      if (name === 'live') await tab.page.context().close();
    }
  });

  test.each(['live', 'partners'])('a silent stream is lost on %s, though its connection is open', async (name) => {
    await open(name);
    await tab.page.getByText('Connected').waitFor();
    const { nextSample } = tab.admin.data;
    delete tab.admin.data.nextSample;
    await tab.page.getByText('Connection lost. Reconnecting…').waitFor();
    tab.admin.data.nextSample = nextSample!;
    await tab.page.getByText('Connected').waitFor();
  });

  test('a stream that does not open is not connected', async () => {
    await tab.open();
    await tab.page.route('**/api/live', () => {});
    await tab.page.getByTestId('nav-live').click();
    await tab.page.getByTestId('plot-latency').waitFor();
    expect(await tab.page.getByTestId('stream-state').textContent()).toBe('Loading…');
    await tab.page.getByText('Connection lost. Reconnecting…').waitFor();
  });

  test('a refused stream has the reason of the server', async () => {
    tab.admin.failing.set('live', 503);
    tab.admin.failureReason = 'too many clients watch; close one';
    await open('live');
    await tab.page.getByText('Too many clients watch; close one. Trying again…').waitFor();
    tab.admin.failing.clear();
    await tab.page.getByText('Connected').waitFor();
    expect(await tab.page.getByText('Too many clients').count()).toBe(0);
  });

  test('a hidden tab has no stream; when it is shown, the history fills the gap', async () => {
    await open('live');
    await tab.page.getByText('Connected').waitFor();
    const show = (state: string) =>
      tab.page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
         document.dispatchEvent(new Event('visibilitychange'));`,
      );
    await show('hidden');
    await until('the stream is closed', () => tab.admin.streams === 0);
    const history = tab.page.waitForRequest('**/api/history');
    await show('visible');
    await history;
    await tab.page.getByText('Connected').waitFor();
    expect(tab.admin.streams).toBe(1);
  });

  test('a server that does not respond is named after 10 s', async () => {
    await open('errors');
    await tab.page.getByTestId('error-row').first().waitFor();
    await tab.page.route('**/api/errors', () => {});
    await tab.page.getByRole('button', { name: 'Refresh' }).click();
    await tab.page.getByText('The admin server did not respond in time.').waitFor();
  });
});
