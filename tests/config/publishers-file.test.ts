/** The publishers file: which settings it gives, and which files are rejected, with every problem. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import type { ConfigError } from '../../src/config/config-error.ts';
import { type Known, readPublishers, readPublishersFile } from '../../src/config/publishers-file.ts';
import { maxPublisherIdLength } from '../../src/contract/api-limits.ts';

const folder = mkdtempSync(join(tmpdir(), 'publishers-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(content: unknown): string {
  const path = join(folder, 'publishers.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const nothingKnown: Known = { partners: undefined, dollarsPer: undefined };
const read = (content: unknown, known = nothingKnown) => readPublishers(JSON.stringify(content), 'file', known);
const problemsOf = (content: unknown, known?: Known): string[] => {
  const result = read(content, known);
  return 'problems' in result ? result.problems : [];
};
const publisher = (more: object) => ({ publishers: [{ id: 'pub-42', ...more }] });
const address = (more: object) => ({ addresses: [{ range: '192.0.2.0/24', ...more }] });
const hash = `sha256:${createHash('sha256').update('key').digest('hex')}`;

describe('is accepted', () => {
  test.each<[string, unknown]>([
    ['nothing', {}],
    ['a limit of 1', publisher({ limit: 1 })],
    ['a limit of 1,000,000', publisher({ limit: 1_000_000 })],
    ['an id as long as in a request', { publishers: [{ id: 'p'.repeat(maxPublisherIdLength) }] }],
    ['a reserved share of 0', { reservedShare: 0 }],
    ['a reserved share of 0.99', { reservedShare: 0.99 }],
    ['ten hashed keys', publisher({ apiKeys: Array.from({ length: 10 }, () => hash) })],
    ['a hash in upper case', publisher({ apiKeys: [`sha256:${'AB'.repeat(32)}`] })],
    ['a hundred ranges', publisher({ addresses: Array.from({ length: 100 }, (_, at) => `10.${at}.0.0/16`) })],
    ['a floor of 0', publisher({ floor: 0 })],
    ['a floor of 1,000', publisher({ floor: 1_000, floorCurrency: 'usd' })],
    ['an address limit of 1', address({ limit: 1 })],
    ['an address limit of 1,000,000', address({ limit: 1_000_000 })],
    ['an exempt address', address({ exempt: true })],
    [
      'overlapping ranges',
      {
        addresses: [
          { range: '10.0.0.0/8', limit: 5 },
          { range: '10.1.0.0/16', exempt: true },
        ],
      },
    ],
    ['an IPv6 limit for a /56', { addresses: [{ range: '2001:db8::/56', limit: 5 }] }],
    ['an exempt IPv6 address', { addresses: [{ range: '2001:db8::1/128', exempt: true }] }],
    ['the same key for two publishers', { publishers: ['a', 'b'].map((id) => ({ id, apiKeys: [hash] })) }],
    ['the same range for two publishers', { publishers: ['a', 'b'].map((id) => ({ id, addresses: ['10.0.0.0/8'] })) }],
  ])('%s', (_name, content) => expect(problemsOf(content)).toEqual([]));
});

describe('is rejected', () => {
  test.each<[string, unknown, string]>([
    ['a list', [], 'value must be of type object'],
    ['an unknown member', { publisher: [] }, 'publisher is not allowed'],
    ['a limit of 0', publisher({ limit: 0 }), 'publishers[0].limit must be greater than or equal to 1'],
    [
      'a limit of 1,000,001',
      publisher({ limit: 1_000_001 }),
      'publishers[0].limit must be less than or equal to 1000000',
    ],
    ['a limit of 1.5', publisher({ limit: 1.5 }), 'publishers[0].limit must be an integer'],
    ['a limit as text', publisher({ limit: '5' }), 'publishers[0].limit must be a number'],
    ['an entry without id', { publishers: [{ limit: 5 }] }, 'publishers[0].id is required'],
    ['an empty id', { publishers: [{ id: '' }] }, 'publishers[0].id is not allowed to be empty'],
    [
      'an id longer than in a request',
      { publishers: [{ id: 'p'.repeat(maxPublisherIdLength + 1) }] },
      'publishers[0].id length must be less than or equal to 128 characters long',
    ],
    [
      'an id twice',
      { publishers: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] },
      'publishers[2].id is also the id of publishers[0]',
    ],
    ['a reserved share of 1', { reservedShare: 1 }, 'reservedShare must be less than 1'],
    ['a reserved share below 0', { reservedShare: -0.01 }, 'reservedShare must be greater than or equal to 0'],
    [
      'a hash that is too short',
      publisher({ apiKeys: [hash.slice(0, -1)] }),
      'publishers[0].apiKeys[0] must be sha256: followed by the 64 hexadecimal digits of the hash',
    ],
    [
      'a hash that is too long',
      publisher({ apiKeys: [hash, `${hash}0`] }),
      'publishers[0].apiKeys[1] must be sha256: followed by the 64 hexadecimal digits of the hash',
    ],
    ['no keys', publisher({ apiKeys: [] }), 'publishers[0].apiKeys must contain at least 1 items'],
    [
      'eleven keys',
      publisher({ apiKeys: Array.from({ length: 11 }, () => hash) }),
      'publishers[0].apiKeys must contain less than or equal to 10 items',
    ],
    [
      'a range of a publisher that is none',
      publisher({ addresses: ['10.0.0.0'] }),
      'publishers[0].addresses[0] must be a CIDR range such as 192.0.2.0/24 or 2001:db8::/32',
    ],
    ['no ranges', publisher({ addresses: [] }), 'publishers[0].addresses must contain at least 1 items'],
    ['a floor below 0', publisher({ floor: -0.01 }), 'publishers[0].floor must be greater than or equal to 0'],
    ['a floor above 1,000', publisher({ floor: 1_000.01 }), 'publishers[0].floor must be less than or equal to 1000'],
    [
      'a floor of three decimals',
      publisher({ floor: 0.125 }),
      'publishers[0].floor must have no more than 2 decimal places',
    ],
    ['a currency without floor', publisher({ floorCurrency: 'EUR' }), 'publishers[0].floorCurrency requires floor'],
    [
      'a currency of four letters',
      publisher({ floor: 1, floorCurrency: 'EURO' }),
      'publishers[0].floorCurrency must be a currency code of three letters',
    ],
    [
      'no allowed partners',
      publisher({ partners: { allowed: [] } }),
      'publishers[0].partners.allowed must contain at least 1 items',
    ],
    [
      'a partner in both lists',
      publisher({ partners: { allowed: ['alpha'], blocked: ['beta', 'alpha'] } }),
      'publishers[0].partners: alpha is both allowed and blocked',
    ],
    ['an address without range', { addresses: [{ limit: 5 }] }, 'addresses[0].range is required'],
    [
      'a range with host bits',
      { addresses: [{ range: '192.0.2.1/24', limit: 5 }] },
      'addresses[0].range must be the first address of its range; only zeros may follow the first 24 bits',
    ],
    ['an address with neither', address({}), 'addresses[0] must have limit or exempt'],
    ['an address with both', address({ limit: 5, exempt: true }), 'addresses[0] must have limit or exempt, not both'],
    ['an address that is not exempt', address({ exempt: false }), 'addresses[0].exempt must be [true]'],
    [
      'a range twice',
      {
        addresses: [
          { range: '10.0.0.0/8', limit: 5 },
          { range: '::ffff:10.0.0.0/104', exempt: true },
        ],
      },
      'addresses[1].range is also the range of addresses[0]',
    ],
    [
      'an IPv6 limit for a /57',
      { addresses: [{ range: '2001:db8::/57', limit: 5 }] },
      'addresses[0].range must have a prefix of at most 56 bits to have a limit, because IPv6 clients are counted by their /56; got /57',
    ],
  ])('%s', (_name, content, problem) => expect(problemsOf(content)).toEqual([`file: ${problem}`]));

  test('10,001 publishers', () => {
    const publishers = Array.from({ length: 10_001 }, (_, at) => ({ id: `p${at}` }));
    expect(problemsOf({ publishers: publishers.slice(1) })).toEqual([]);
    expect(problemsOf({ publishers })).toEqual(['file: publishers must contain less than or equal to 10000 items']);
  });

  test('never for its size within its own limits', () => {
    const publishers = Array.from({ length: 10_000 }, (_, index) => ({
      id: `p${index}`,
      limit: 10,
      partners: { allowed: [], blocked: [] },
    }));
    expect(problemsOf({ publishers })).not.toContainEqual(expect.stringContaining('JSON'));
  });

  test('with all problems at once, up to a hundred', () => {
    expect(problemsOf({ reservedShare: 1, ...publisher({ limit: 0, floor: -1 }), ...address({}) })).toHaveLength(4);
    const publishers = Array.from({ length: 150 }, () => ({}));
    expect(problemsOf({ publishers })).toHaveLength(101);
    expect(problemsOf({ publishers }).at(-1)).toBe('file: 50 more problems');
  });

  test('without the value of a key that is not hashed', () => {
    expect(JSON.stringify(problemsOf(publisher({ apiKeys: ['plain-secret'] })))).not.toContain('plain-secret');
  });

  test('if it is not JSON, too large or missing', () => {
    const path = write('{"publishers":');
    expect(readPublishersFile(path, nothingKnown)).toEqual({
      problems: [expect.stringContaining(`PUBLISHERS_FILE ${path}: not valid JSON`)],
    });
    expect(readPublishersFile(write(' '.repeat(8 * 1024 * 1024 + 1)), nothingKnown)).toEqual({
      problems: [`PUBLISHERS_FILE ${path}: must have at most 8388608 bytes; got 8388609`],
    });
    expect(readPublishersFile(`${path}.missing`, nothingKnown)).toEqual({
      problems: [expect.stringContaining('ENOENT')],
    });
  });
});

describe('with the other files', () => {
  const partners = [{ name: 'alpha' }, { name: 'beta' }];

  test('the partners must be in the partners file', () => {
    const content = publisher({ partners: { allowed: ['alpha', 'gamma'], blocked: ['delta'] } });
    expect(problemsOf(content, { ...nothingKnown, partners })).toEqual([
      'file: publishers[0].partners.allowed[1]: DEMAND_FILE has no partner gamma',
      'file: publishers[0].partners.blocked[0]: DEMAND_FILE has no partner delta',
    ]);
  });

  test.each([
    ['EUR', []],
    ['eur', []],
    ['USD', []],
    ['CHF', ['file: publishers[0].floorCurrency: RATES_FILE has no rate for CHF']],
  ])('a floor in %s must have a rate', (floorCurrency, problems) => {
    expect(problemsOf(publisher({ floor: 1, floorCurrency }), { ...nothingKnown, dollarsPer: { EUR: 1.1 } })).toEqual(
      problems,
    );
  });
});

describe('the configuration', () => {
  test('has the settings, and the reserved share among the limits', () => {
    const content = { reservedShare: 0.5, publishers: [{ id: 'pub-42', limit: 5_000 }] };
    const config = readConfig({ PUBLISHERS_FILE: write(content) });
    expect(config.publishers).toEqual({ ...content, addresses: [] });
    expect(config.limits).toEqual({ global: 10_000, publisher: 1_000, ip: 100, reservedShare: 0.5 });
  });

  test('has none without a file', () => {
    expect(readConfig({}).publishers).toBeUndefined();
    expect(readConfig({}).limits).toEqual({ global: 10_000, publisher: 1_000, ip: 100 });
  });

  test('reports the problems of all files', () => {
    const path = write({ reservedShare: 2, publishers: [{ id: 'a', floor: 1, floorCurrency: 'EUR' }] });
    const read = () => readConfig({ PUBLISHERS_FILE: path, RATES_FILE: `${path}.missing`, PORT: 'x' });
    expect(read).toThrow();
    try {
      read();
    } catch (error) {
      expect((error as ConfigError).problems).toEqual([
        'PORT must be a number',
        expect.stringContaining('ENOENT'),
        `PUBLISHERS_FILE ${path}: reservedShare must be less than 1`,
      ]);
    }
  });
});
