/** Takes a screenshot of each page with canned data into docs/images. `make screenshots` runs it. */
import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bidResult, healthy, warnings } from './canned.ts';
import { launchChromium } from './launch-chromium.ts';
import { FakeAdmin } from './fake-admin.ts';

const maxBytes = 150 * 1024;
const folder = fileURLToPath(new URL('../../../docs/images/', import.meta.url));
/** What each page must show first. */
const pages: Record<string, string> = {
  playground: 'result-status',
  live: 'plot-latency',
  partners: 'partner-row',
  auctions: 'auction-row',
  errors: 'error-row',
  reference: 'operation',
};

const admin = await new FakeAdmin({ ...healthy(), tryResult: bidResult({ warnings }) }).start();
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
mkdirSync(folder, { recursive: true });
await page.goto(admin.url);
await page.getByTestId('editor').getByText('"news.example"').waitFor();
await page.getByTestId('run').click();
for (const [name, testid] of Object.entries(pages)) {
  await page.getByTestId(`nav-${name}`).click();
  await page.getByTestId(testid).first().waitFor();
  if (name === 'partners' || name === 'auctions') await page.getByTestId(testid).first().click();
  const path = `${folder}console-${name}.png`;
  await page.screenshot({ path });
  const { size } = statSync(path);
  if (size > maxBytes) throw new Error(`${path} has ${size} bytes; at most ${maxBytes} are allowed`);
  process.stdout.write(`docs/images/console-${name}.png ${Math.ceil(size / 1024)} KiB\n`);
}
await browser.close();
await admin.close();
