/** The partners file that points at this sandbox, on one line: what the process prints once it listens. */
import { readFileSync } from 'node:fs';

/** Direct campaigns need no server; they are kept as the partners file has them. */
const houseFile = new URL('house.json', import.meta.url);

export function writePartnersLine(url: string): string {
  const base = url.replace(/\/+$/, '');
  const { partners: house } = JSON.parse(readFileSync(houseFile, 'utf8')) as { partners: unknown[] };
  const bidder = (name: string) => ({
    name,
    adapter: 'openrtb',
    endpoint: `${base}/${name}/bid`,
    timeoutMs: 300,
    test: true,
  });
  const shop = { name: 'shop', adapter: 'product-search', endpoint: `${base}/shop`, test: true };
  return JSON.stringify({ partners: [bidder('alpha'), bidder('beta'), shop, ...house] });
}
