/** Takes a screenshot of each page of a real exchange under light traffic into docs/images. `make screenshots` runs it. */
import { mkdirSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Example } from '../../src/contract/console-api.ts';
import { startGavel } from '../support/start-gavel.ts';
import { launchChromium } from './support/launch-chromium.ts';

const maxBytes = 200 * 1024;
/** Long enough for plots with a shape, and for the partners' last minute. */
const trafficMs = 120_000;
/** Between two requests: the rate rises and falls. */
const pauseMs = { mean: 25, swing: 10, period: 1_000 };
/** Opening a page takes CPU time from the exchange, which must not be what Live shows. */
const restMs = 5_000;
const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
/** What each page must show first. */
const pages: Record<string, string> = {
  live: 'plot-latency',
  partners: 'partner-row',
  auctions: 'auction-row',
  errors: 'error-row',
  reference: 'operation',
};

const gavel = await startGavel({ DEMAND_FILE: '', LIMIT_IP: '10000', LIMIT_PUBLISHER: '1000' });
process.on('exit', () => gavel.process.kill());
const examples = (await (await fetch(`${gavel.admin}/console/api/examples`)).json()) as Example[];
const requests = examples
  .filter(({ name }) => name !== 'invalid')
  .map(({ body }) => JSON.parse(body) as { site?: object });
const faults = [{ tmax: '300' }, { at: 4 }, { imp: [] }];
// Ends when all pages are taken, so that none shows a gap.
const stop = new AbortController();
const traffic = sendTraffic();
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 1280, height: 960 }, colorScheme: 'light' });
mkdirSync(folder, { recursive: true });
await sleep(trafficMs);
await page.goto(`${gavel.admin}/console/`);
await page.getByTestId('example-select').selectOption('blocked-advertiser');
await page.getByTestId('run').click();
await page.getByTestId('ad-preview').waitFor();
await take('playground');
for (const [name, testid] of Object.entries(pages)) {
  await page.getByTestId(`nav-${name}`).click();
  await page.getByTestId(testid).first().waitFor();
  if (name === 'partners') await page.getByTestId(testid).first().click();
  if (name === 'auctions') await page.getByTestId(testid).filter({ hasText: 'bid 200' }).first().click();
  await take(name);
}
stop.abort();
await traffic;
await browser.close();
await gavel.end();

async function take(name: string): Promise<void> {
  const path = `${folder}console-${name}.png`;
  await page.mouse.move(0, 0);
  await sleep(restMs);
  await page.screenshot({ path });
  const { size } = statSync(path);
  if (size > maxBytes) throw new Error(`${path} has ${size} bytes; at most ${maxBytes} are allowed`);
  process.stdout.write(`docs/images/console-${name}.png ${Math.ceil(size / 1024)} KiB\n`);
}

/** The valid examples as live requests of a few publishers; one in ten is made invalid. */
async function sendTraffic(): Promise<void> {
  for (let count = 0; !stop.signal.aborted; count++) {
    const publisher = { id: `pub-${40 + (Math.floor(count / 10) % 3)}` };
    const request = requests[count % requests.length]!;
    const fault = count % 10 === 0 ? faults[Math.floor(Math.sqrt(count)) % faults.length] : {};
    void fetch(gavel.endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        ...request,
        id: `request-${count}`,
        test: 0,
        site: { ...request.site, publisher },
        ...fault,
      }),
    })
      .then((response) => response.arrayBuffer())
      .catch((error: Error) => process.stderr.write(`${error.message}\n`));
    await sleep(pauseMs.mean + pauseMs.swing * Math.sin((count / pauseMs.period) * 2 * Math.PI));
  }
}
