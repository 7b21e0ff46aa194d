/** The configuration: defaults, valid and invalid values, and the report of all problems at once. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/config-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'gavel-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

let fileCount = 0;
function writePartnersFile(content: unknown): string {
  const path = join(folder, `partners-${fileCount++}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function problemsOf(variables: Record<string, string>): readonly string[] {
  try {
    readConfig(variables);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const campaign = { id: 'c1', cpm: 1, landing: 'https://shoes.example/', title: 'Shoes' };
const formats = (agentUrl: string) => ({ formats: [{ agent_url: agentUrl, id: 'f1' }] });
const shop = { name: 'shop', adapter: 'product-search', endpoint: 'https://shop.example' };
const house = { name: 'house', adapter: 'house', campaigns: [campaign] };

test('uses the defaults and the sandbox demand in an empty environment', () => {
  expect(readConfig({})).toMatchObject({
    endpoint: { port: 8080, host: '0.0.0.0' },
    admin: { port: 9464, host: '127.0.0.1' },
    workers: availableParallelism(),
    redis: undefined,
    redisRequired: false,
    instances: 1,
    limits: { global: 10_000, publisher: 1_000, ip: 100 },
    trustProxy: 'loopback',
    timeoutMs: 500,
    softTimeoutMs: 150,
    defaultAuctionType: 1,
    logLevel: 'info',
    logSample: 0.01,
    auctionLog: undefined,
    drainMs: 10_000,
    partners: undefined,
  });
});

describe('ADMIN_TOKEN', () => {
  test.each(['eight-ch', 'x'.repeat(256), '!~'.repeat(4)])('accepts %s', (value) => {
    expect(readConfig({ ADMIN_TOKEN: value }).admin.token).toBe(value);
  });

  test.each(['seven-c', 'x'.repeat(257), 'with a space', 'pässword'])('rejects %s without quoting it', (value) => {
    const problems = problemsOf({ ADMIN_TOKEN: value });
    expect(problems).toEqual([expect.stringContaining('ADMIN_TOKEN')]);
    expect(problems[0]).not.toContain(value);
  });
});

test('treats an empty variable as unset', () => {
  expect(readConfig({ REDIS_URL: '', PORT: '' })).toMatchObject({ redis: undefined, endpoint: { port: 8080 } });
});

test('ignores unrelated variables', () => {
  expect(readConfig({ HOME: '/root', PORT: '9000' }).endpoint.port).toBe(9000);
});

test('reports every problem, including those of the partners file', () => {
  const path = writePartnersFile({ partners: [{ ...house, campaigns: [{ ...campaign, cpm: -1 }] }] });
  const problems = problemsOf({ PORT: 'x', WORKERS: '0', LIMIT_IP: '1.5', LOG_LEVEL: 'loud', DEMAND_FILE: path });
  expect(problems).toHaveLength(5);
  expect(problems.join('\n')).toMatch(/PORT[\s\S]*WORKERS[\s\S]*LIMIT_IP[\s\S]*LOG_LEVEL[\s\S]*campaigns\[0\]\.cpm/);
});

describe('TRUST_PROXY', () => {
  test.each(['0', '2', '10', 'loopback', '10.0.0.0/8, 192.168.1.1', 'loopback,fd00::/8'])('accepts %s', (value) => {
    expect(problemsOf({ TRUST_PROXY: value })).toEqual([]);
  });
  test.each(['true', 'false', 'everybody', '10.0.0.0/40', '-1', '11', '99999999999999'])('rejects %s', (value) => {
    expect(problemsOf({ TRUST_PROXY: value })).toEqual([
      expect.stringMatching(/^TRUST_PROXY must be a number of hops up to 10 or a list of addresses/),
    ]);
  });
  test('is a number if it is a hop count', () => {
    expect(readConfig({ TRUST_PROXY: '2' }).trustProxy).toBe(2);
  });
});

describe.each([
  ['PORT', ['0', '65535'], ['-1', '65536', '80.5']],
  ['WORKERS', ['1', '256'], ['0', '257', 'many']],
  ['INSTANCES', ['1', '10000'], ['0', '10001', '1.5']],
  ['LIMIT_GLOBAL', ['1', '1000000'], ['0', '1000001']],
  ['TIMEOUT_MS', ['50', '5000'], ['49', '5001']],
  [
    'EXCHANGE_DOMAIN',
    ['exchange.example', 'ads.exchange.test'],
    ['exchange', 'https://exchange.example', 'a b.example'],
  ],
  ['DEFAULT_AUCTION_TYPE', ['1', '2'], ['0', '3']],
  [
    'AUCTION_LOG',
    ['/dev/full', join(folder, 'auctions.log'), 'redis://127.0.0.1:6379/1', 'rediss://cache.example'],
    [folder, join(folder, 'missing', 'auctions.log'), 'http://cache.example/', 'redis://cache.example/x'],
  ],
  ['LOG_SAMPLE', ['0', '1', '0.5'], ['-0.1', '1.1']],
  ['DRAIN_MS', ['0', '300000'], ['-1', 'soon']],
])('%s', (name, valid, invalid) => {
  test.each(valid)('accepts %s', (value) => expect(problemsOf({ [name]: value })).toEqual([]));
  test.each(invalid)('rejects %s', (value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
  });
});

describe('a partners file', () => {
  test.each<[string, unknown, RegExp]>([
    ['that does not exist', undefined, /ENOENT/],
    ['that is not JSON', '{', /JSON/],
    ['without partners', {}, /partners is required/],
    ['with an unknown adapter', { partners: [{ name: 'x', adapter: 'telex' }] }, /partners\[0\]\.adapter must be/],
    [
      'with a duplicate name',
      { partners: [house, house] },
      /: partners\[1\]\.name: house is also the name of partners\[0\]$/,
    ],
    [
      'with a duplicate campaign',
      { partners: [{ ...house, campaigns: [campaign, campaign] }] },
      /: partners\[0\]\.campaigns\[1\]\.id: c1 is also the id of campaigns\[0\]$/,
    ],
    [
      'with a format address that is not https',
      { partners: [{ ...house, campaigns: [{ ...campaign, target: formats('http://agent.example') }] }] },
      /: partners\[0\]\.campaigns\[0\]\.target\.formats\[0\]\.agent_url must be an https URL; its scheme is "http"$/,
    ],
    [
      'with a landing page that is neither http nor https',
      { partners: [{ ...house, campaigns: [{ ...campaign, landing: 'javascript:alert(1)' }] }] },
      /: partners\[0\]\.campaigns\[0\]\.landing must be an absolute http or https URL$/,
    ],
    ['with an unknown field', { partners: [{ ...house, shoe: 1 }] }, /partners\[0\]\.shoe is not allowed/],
    [
      'with a script as a landing page',
      { partners: [{ ...house, campaigns: [{ ...campaign, landing: 'javascript:alert(1)' }] }] },
      /campaigns\[0\]\.landing must be an absolute http or https URL/,
    ],
    [
      'with a landing page without a host',
      { partners: [{ ...house, campaigns: [{ ...campaign, landing: 'https:shoes.example' }] }] },
      /campaigns\[0\]\.landing must be an absolute http or https URL/,
    ],
    [
      'with an image in a data URL',
      { partners: [{ ...house, campaigns: [{ ...campaign, image: { url: 'data:image/png;base64,AAAA' } }] }] },
      /campaigns\[0\]\.image\.url must be an absolute http or https URL/,
    ],
    [
      'with an icon of a custom scheme',
      { partners: [{ ...house, campaigns: [{ ...campaign, icon: { url: 'market://icon' } }] }] },
      /campaigns\[0\]\.icon\.url must be an absolute http or https URL/,
    ],
    [
      'with an icon without a URL',
      { partners: [{ ...house, campaigns: [{ ...campaign, icon: { w: 64, h: 64 } }] }] },
      /campaigns\[0\]\.icon\.url is required/,
    ],
    [
      'with a cpm that is a string',
      { partners: [{ ...house, campaigns: [{ ...campaign, cpm: '1' }] }] },
      /cpm must be a num/,
    ],
    [
      'with a campaign that has no title',
      { partners: [{ ...house, campaigns: [{ ...campaign, title: undefined }] }] },
      /title/,
    ],
  ])('%s is rejected', (_description, content, problem) => {
    const path = content === undefined ? join(folder, 'missing.json') : writePartnersFile(content);
    expect(problemsOf({ DEMAND_FILE: path })).toEqual([expect.stringMatching(problem)]);
  });

  test.each(['https', 'HTTPS', 'Https'])('may spell the scheme of a URL in any case: %s', (scheme) => {
    const landing = `${scheme}://shoes.example/`;
    const content = {
      partners: [{ ...house, campaigns: [{ ...campaign, landing, target: formats(`${scheme}://agent.example/`) }] }],
    };
    expect(problemsOf({ DEMAND_FILE: writePartnersFile(content) })).toEqual([]);
  });

  test('has test false by default', () => {
    expect(readConfig({ DEMAND_FILE: writePartnersFile({ partners: [house] }) }).partners).toEqual([
      { ...house, test: false },
    ]);
  });
});

describe.each([
  ['campaign', (notices: object) => ({ partners: [{ ...house, campaigns: [{ ...campaign, ...notices }] }] })],
  ['product-search', (notices: object) => ({ partners: [{ ...shop, ...notices }] })],
])('the notices of a %s', (_owner, withNotices) => {
  const problems = (notices: object) => problemsOf({ DEMAND_FILE: writePartnersFile(withNotices(notices)) });
  const long = (length: number) => 'https://a.example/'.padEnd(length, 'x');

  test.each([
    'https://a.example/win',
    'HTTP://a.example/win?p=${AUCTION_PRICE}&c=${AUCTION_CURRENCY}',
    'https://a.example/${AUCTION_ID}/${AUCTION_PRICE:B64}',
    long(4_096),
  ])('may be %s', (url) => {
    expect(problems({ nurl: url, burl: url, impressionTrackers: [url] })).toEqual([]);
  });

  test.each(['win', '//a.example/win', 'ftp://a.example/', 'javascript:alert(1)', 'https://${HOST}/'])(
    'may not be %s',
    (url) => {
      const reason = 'must be an absolute http or https URL';
      expect(problems({ nurl: url, burl: url, impressionTrackers: [url] })).toEqual([
        expect.stringContaining(`nurl ${reason}`),
        expect.stringContaining(`burl ${reason}`),
        expect.stringContaining(`impressionTrackers[0] ${reason}`),
      ]);
    },
  );

  test('are bounded in length and number', () => {
    expect(problems({ nurl: long(4_097) })).toEqual([
      expect.stringMatching(/nurl length must be less than or equal to 4096/),
    ]);
    expect(problems({ impressionTrackers: Array(10).fill('https://a.example/') })).toEqual([]);
    expect(problems({ impressionTrackers: Array(11).fill('https://a.example/') })).toEqual([
      expect.stringMatching(/impressionTrackers must contain less than or equal to 10 items/),
    ]);
  });
});

describe('a partner that is called over HTTP', () => {
  test.each(['openrtb', 'product-search'])('without an endpoint stops the start: %s', (adapter) => {
    const DEMAND_FILE = writePartnersFile({ partners: [{ name: 'a', adapter }] });
    expect(problemsOf({ DEMAND_FILE })).toEqual([`DEMAND_FILE ${DEMAND_FILE}: partners[0].endpoint is required`]);
  });

  describe.each<object>([
    { name: 'a', adapter: 'openrtb', endpoint: 'https://a.example' },
    { name: 'a', adapter: 'product-search', endpoint: 'https://a.example' },
    house,
  ])('may have a vendor id: %j', (partner) => {
    const problemsWith = (gvlId: unknown) =>
      problemsOf({ DEMAND_FILE: writePartnersFile({ partners: [{ ...partner, gvlId }] }) });
    test.each([1, 65_535])('%p', (gvlId) => expect(problemsWith(gvlId)).toEqual([]));
    test.each([0, 65_536, 1.5, '52', null])('not %p', (gvlId) => {
      expect(problemsWith(gvlId)).toEqual([expect.stringMatching(/partners\[0\]\.gvlId must be/)]);
    });
  });
});

describe('a secret', () => {
  const withEndpoint = (endpoint: unknown) =>
    writePartnersFile({ partners: [{ name: 'a', adapter: 'openrtb', endpoint }] });

  test('is read from the environment', () => {
    const DEMAND_FILE = withEndpoint({ env: 'ALPHA_URL' });
    const config = readConfig({ DEMAND_FILE, ALPHA_URL: 'https://a.example/bid?key=1' });
    expect(config.partners).toMatchObject([{ endpoint: 'https://a.example/bid?key=1' }]);
  });

  test.each([{}, { ALPHA_URL: '' }])('whose variable is not set stops the start, with %p', (variables) => {
    const DEMAND_FILE = withEndpoint({ env: 'ALPHA_URL' });
    expect(problemsOf({ DEMAND_FILE, ...variables })).toEqual([
      `DEMAND_FILE ${DEMAND_FILE}: partners[0].endpoint: the environment variable ALPHA_URL is not set`,
    ]);
  });

  test('that is invalid is reported without its value', () => {
    const problems = problemsOf({ DEMAND_FILE: withEndpoint({ env: 'ALPHA_URL' }), ALPHA_URL: 'hush hush' });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('the value of the environment variable ALPHA_URL is invalid');
    expect(problems[0]).not.toContain('hush');
  });

  test('does not hide the other problems', () => {
    const DEMAND_FILE = writePartnersFile({
      partners: [{ name: 'a', adapter: 'openrtb', endpoint: { env: 'ALPHA_URL' }, timeoutMs: 1 }],
    });
    expect(problemsOf({ DEMAND_FILE })).toHaveLength(2);
  });

  test.each([{ env: 7 }, { env: 'A', more: 1 }, {}])('is only an object with the one member env: %p', (endpoint) => {
    expect(problemsOf({ DEMAND_FILE: withEndpoint(endpoint), A: 'https://a.example/' })[0]).toMatch(
      /endpoint must be a string/,
    );
  });
});
