/** URLs and host names: `agent_url` and its canonical form, `site.domain`, and the URLs of a product. */
import { readProducts } from '../../../src/demand/product-search/read-products.ts';
import { formatKey } from '../../../src/openrtb/adcp-format.ts';
import { type Validation, validateBidRequest } from '../../../src/openrtb/validate-bid-request.ts';
import { titleRequest } from '../../support/auction-exchange.ts';
import { mutateBytes } from '../generate/mutate-bytes.ts';
import type { Random } from '../generate/random.ts';
import { anyText, distinctText, specialText } from '../generate/text.ts';
import { checkError } from '../oracle.ts';
import { check, type FuzzTarget, linear, unmutated } from '../target.ts';

const corpus = [
  'https://creative.example/',
  'HTTPS://Creative.Example:443/a/../b?query=1&x=%20#fragment',
  'https://user:password@creative.example:8443/path',
  'https://xn--bcher-kva.example/',
  'https://bücher.example/ü?ü#ü',
  'https://[2001:db8::1]:443/',
  'https://192.0.2.1/',
  'rider.example',
  'a.b-c.example',
].map((text) => Buffer.from(text));

const maxBytes = 16 * 1024;
const cacheEntries = 1_001;
const maxUrlLength = 2_048;
const maxHostLength = 253;

export const target: FuzzTarget = {
  weight: 12,
  maxMicros: linear(2_000, 60),
  verdicts: ['https URL', 'domain', 'neither'],
  generate: (random) => {
    const bytes = random.chance(0.4) ? random.pick(corpus) : Buffer.from(url(random)).subarray(0, maxBytes);
    return random.chance(unmutated) ? bytes : mutateBytes(random, bytes, corpus, maxBytes);
  },
  start: () => ({
    run: (input) => judge(input.toString()),
    evictCaches: () => {
      for (let entry = 0; entry < cacheEntries; entry++) validateFormat(`https://other${entry}.example/`);
    },
  }),
};

function url(random: Random): string {
  const scheme = random.chance(0.8)
    ? 'https://'
    : random.pick(['http://', 'https:', '//', 'javascript:', '', ' https://']);
  const user = random.chance(0.1) ? `${anyText(random, 200)}@` : '';
  const labels = Array.from({ length: random.length(random.chance(0.95) ? 5 : 200) }, () => label(random));
  const port = random.chance(0.2) ? `:${random.pick(['443', '0', '65536', '', '00443', '-1'])}` : '';
  const rest = random.chance(0.5) ? `/${anyText(random, 3_000)}?${anyText(random, 300)}` : '';
  return `${scheme}${user}${labels.join('.')}${port}${rest}`;
}

function label(random: Random): string {
  switch (random.below(10)) {
    case 0:
    case 1:
      return distinctText(random, random.length(6_000));
    case 2:
      return specialText(random);
    case 3:
      return `xn--${anyText(random, 300)}`;
    case 4:
      return 'a'.repeat(random.length(300));
    default:
      return random.pick(['example', 'www', 'a-b', '1', '-', '0x10']);
  }
}

const validateFormat = (agent_url: string): Validation =>
  validateBidRequest(titleRequest({}, { ext: { service: { adcpFormats: [{ agent_url, id: 'card' }] } } }));

function judge(text: string): string {
  const asFormat = validateFormat(text);
  const asDomain = validateBidRequest(titleRequest({ site: { domain: text } }));
  for (const validation of [asFormat, asDomain]) if (!validation.valid) checkError(validation.error);
  checkProductUrls(text);
  if (asFormat.valid) {
    checkFormatUrl(text, asFormat);
    return 'https URL';
  }
  if (!asDomain.valid) return 'neither';
  check(/^[\w.-]+$/.test(text), 'a domain with a character that is not allowed');
  return 'domain';
}

function checkFormatUrl(text: string, { valid }: Validation): void {
  check(valid && /^https:\/\//i.test(text), 'a URL without https:// is valid');
  check(text.length <= maxUrlLength, `a URL of ${text.length} characters is valid`);
  const [, host = ''] = /^https:\/\/(?:[^/?#\\]*@)?([^/?#\\:]*)/i.exec(text) ?? [];
  check(host.length <= maxHostLength, `a host of ${host.length} characters is valid`);
  const key = formatKey({ agent_url: text, id: 'card' });
  const canonical = key.slice(0, key.lastIndexOf(' '));
  check(formatKey({ agent_url: canonical, id: 'card' }) === key, 'the canonical form of a URL is not canonical');
}

function checkProductUrls(text: string): void {
  const product = { id: '1', title: 'A product', cpm: 1 };
  const products = readProducts({
    products: [
      { ...product, url: text },
      { ...product, url: 'https://shop.example/', imageUrl: text, advertiserDomain: text },
    ],
  });
  check(products !== undefined && products.length <= 2, 'the products are not read');
  for (const { creative } of products)
    check(/^https?:\/\//i.test(creative.landing), 'a landing page that is not a web URL');
}
