/** Builds the partners file for this sandbox, which the process prints as one line once it listens. */
import { readFileSync } from 'node:fs';

/** House campaigns need no server; they are stored in the format of the partners file. */
const houseFile = new URL('house.json', import.meta.url);

/** The IAB vendor id of alpha: it receives personal data under GDPR if the consent string names it. */
const alphaVendorId = 9001;

/** The deadlines of the auction end a slow call of delta, which shows the result `late`. */
const maxTimeoutMs = 5000;

export function buildPartnersFile(url: string): string {
  const baseUrl = url.replace(/\/+$/, '');
  const { partners: house } = JSON.parse(readFileSync(houseFile, 'utf8')) as { partners: unknown[] };
  const bidder = (name: string, timeoutMs = 300) => ({
    name,
    adapter: 'openrtb',
    endpoint: `${baseUrl}/${name}/bid`,
    timeoutMs,
    test: true,
  });
  const bidders = [
    { ...bidder('alpha'), gvlId: alphaVendorId },
    bidder('beta'),
    bidder('gamma'),
    bidder('delta', maxTimeoutMs),
  ];
  const shop = { name: 'shop', adapter: 'product-search', endpoint: `${baseUrl}/shop`, test: true };
  return JSON.stringify({ partners: [...bidders, shop, ...house] });
}
