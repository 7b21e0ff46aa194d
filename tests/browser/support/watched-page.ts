/** Runs tests in a browser whose pages record everything that a page of the console must never do. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describeWith } from '../../support/describe-with.ts';
import { findChromium } from './launch-chromium.ts';

export const describeInBrowser = (name: string, body: () => void): void =>
  describeWith('Chromium', findChromium() !== undefined, name, body);

export interface WatchedPage {
  page: Page;
  /** Violations of the content security policy, uncaught errors, dialogs, and requests to other hosts. */
  offences: string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const offences: string[] = [];
  page.on('pageerror', (error) => offences.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) offences.push(message.text());
  });
  page.on('dialog', (dialog) => {
    offences.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (new URL(request.url()).host !== new URL(url).host) offences.push(`request to ${request.url()}`);
  });
  page.setDefaultTimeout(30_000); // other tests run at the same time
  await page.goto(url);
  return { page, offences };
}
