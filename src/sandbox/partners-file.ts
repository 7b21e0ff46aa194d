/** Builds the partners file for this sandbox, which the process prints as one line once it listens. */
import { readFileSync } from 'node:fs';

/** House campaigns need no server; they are stored in the format of the partners file. */
const houseFile = new URL('house.json', import.meta.url);

export function buildPartnersFile(url: string): string {
  const baseUrl = url.replace(/\/+$/, '');
  const { partners: house } = JSON.parse(readFileSync(houseFile, 'utf8')) as { partners: unknown[] };
  const bidder = (name: string) => ({
    name,
    adapter: 'openrtb',
    endpoint: `${baseUrl}/${name}/bid`,
    timeoutMs: 300,
    test: true,
  });
  const shop = { name: 'shop', adapter: 'product-search', endpoint: `${baseUrl}/shop`, test: true };
  return JSON.stringify({ partners: [bidder('alpha'), bidder('beta'), bidder('gamma'), shop, ...house] });
}
