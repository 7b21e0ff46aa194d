/** A browser for the tests of a file, and per test an admin server and a page that is watched. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { healthy } from './canned.ts';
import { FakeAdmin } from './fake-admin.ts';
import { launchChromium } from './launch-chromium.ts';
import { openPage, type WatchedPage } from './watched-page.ts';

export interface ConsoleInBrowser {
  readonly admin: FakeAdmin;
  readonly page: Page;
  readonly watched: WatchedPage;
  /** Opens the page of the test at this place of the console, such as `#/live`. */
  open(hash?: string, options?: BrowserContextOptions): Promise<void>;
  openUrl(url: string): Promise<void>;
}

export function useConsole(): ConsoleInBrowser {
  let browser: Browser;
  let admin: FakeAdmin;
  let opened: WatchedPage;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    admin = await new FakeAdmin(healthy()).start();
  });
  afterEach(async () => {
    await opened.page.context().close();
    await admin.close();
    expect(opened.offences).toEqual([]);
  });

  return {
    get admin() {
      return admin;
    },
    get page() {
      return opened.page;
    },
    get watched() {
      return opened;
    },
    async open(hash = '', options = {}) {
      opened = await openPage(browser, `${admin.url}${hash}`, options);
    },
    async openUrl(url) {
      opened = await openPage(browser, url);
    },
  };
}
