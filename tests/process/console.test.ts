/** The console of a real exchange with sandbox partners: its examples, its samples of auctions and errors, its token. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type {
  Auctions,
  AuctionSample,
  Errors,
  Example,
  History,
  LiveSample,
  TryResult,
} from '../../src/contract/console-api.ts';
import type { BidResponse } from '../../src/openrtb/bid-response.ts';
import { readExamples } from '../../src/fleet/console/examples.ts';
import { type Gavel, startGavel } from '../support/start-gavel.ts';
import { until } from '../support/until.ts';

const token = 'correct-horse';
/** The budgets are longer than those of `make run`, so that a busy machine does not change who bids in time. */
const settings = { WORKERS: '2', DEMAND_FILE: '', TIMEOUT_MS: '5000', SOFT_TIMEOUT_MS: '5000', ADMIN_TOKEN: token };

let gavel: Gavel;
beforeAll(async () => {
  gavel = await startGavel(settings);
});
afterAll(() => gavel.end());

const headers = { authorization: `Bearer ${token}` };
const api = async <Value>(path: string): Promise<Value> =>
  (await fetch(`${gavel.admin}/console/api/${path}`, { headers })).json() as Promise<Value>;

async function tryText(body: string): Promise<TryResult> {
  const response = await fetch(`${gavel.admin}/console/api/try`, { method: 'POST', body, headers });
  expect(response.status).toBe(200);
  return (await response.json()) as TryResult;
}

const requestIdOf = ({ headers: pairs }: TryResult): string =>
  pairs.find(([name]) => name.toLowerCase() === 'x-request-id')![1];

const find = async (id: string): Promise<AuctionSample[]> =>
  (await api<Auctions>(`auctions?id=${encodeURIComponent(id)}`)).auctions;

const sendLive = (body: object, address = '198.51.100.7') =>
  fetch(gavel.endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
  });

const example = (name: string): Record<string, unknown> =>
  JSON.parse(readExamples().find((one) => one.name === name)!.body) as Record<string, unknown>;

test('the ready line has the address of the console', () => {
  expect(gavel.readyLine).toContain(` console=${gavel.admin}/console/`);
});

describe('examples', () => {
  interface Shown {
    winners: string[];
    warnings: string[];
    rejected: string[];
    level: number;
    deals: unknown[];
  }

  /** What the playground shows of a result. */
  function show({ body }: TryResult): Shown {
    const { seatbid, ext } = JSON.parse(body) as BidResponse;
    const { warnings, partners, integrationLevel } = ext!.service;
    return {
      winners: seatbid.map(({ seat }) => seat),
      warnings: [...new Set(warnings.map(({ code }) => code))],
      rejected: partners.flatMap(({ rejected }) => rejected.map(({ reason }) => reason)),
      level: integrationLevel,
      deals: seatbid.flatMap(({ bid }) => bid.flatMap(({ dealid }) => dealid ?? [])),
    };
  }

  const expected: Record<string, Partial<Shown>> = {
    'level-1': { level: 1, winners: ['alpha'], warnings: [] },
    'level-2': { level: 2, winners: ['beta'], warnings: [] },
    'level-3': { level: 3, winners: ['house'], warnings: [] },
    'level-4': { level: 4, winners: ['beta', 'shop'] },
    'product-search': { winners: ['shop'] },
    deal: { winners: ['delta'], deals: ['fairlead-summer'] },
    'blocked-advertiser': { winners: ['shop'], rejected: ['blocked_advertiser'] },
    gdpr: { warnings: ['REDACTED'] },
    coppa: { warnings: ['REDACTED'] },
  };

  test('the API has them in order', async () => {
    const examples = await api<Example[]>('examples');
    expect(examples.map(({ name }) => name)).toEqual([...Object.keys(expected), 'invalid']);
    expect(examples).toEqual(readExamples());
  });

  test.each(Object.entries(expected))('%s shows what its title says', async (name, shown) => {
    const request = example(name);
    if ('tmax' in request) request.tmax = 5_000; // a budget as above
    const result = await tryText(JSON.stringify(request));
    expect({ status: result.status, ...show(result) }).toMatchObject({ status: 200, ...shown });
    const { softDeadlineMs, hardDeadlineMs, partners } = (JSON.parse(result.body) as BidResponse).ext!.service;
    expect(softDeadlineMs).toBeGreaterThan(0);
    expect(hardDeadlineMs).toBeGreaterThan(0);
    for (const { startMs } of partners) expect(startMs).toBeGreaterThanOrEqual(0);
  });

  test('every example with a winner can be shown as an ad: it has a title', async () => {
    for (const name of Object.keys(expected)) {
      const { seatbid } = JSON.parse((await tryText(JSON.stringify(example(name)))).body) as BidResponse;
      expect(seatbid.length).toBeGreaterThan(0);
      for (const { adm } of seatbid.flatMap(({ bid }) => bid)) expect(adm).toContain('"title"');
    }
  });

  test('gdpr names the partners that receive no personal data, coppa all of them', async () => {
    expect((await tryText(JSON.stringify(example('gdpr')))).body).toContain('removed for beta, gamma');
    expect((await tryText(JSON.stringify(example('coppa')))).body).toContain('removed for all partners');
  });

  test('invalid gets every problem with its field', async () => {
    const { status, body } = await tryText(JSON.stringify(example('invalid')));
    const { error } = JSON.parse(body) as { error: { details: { errors: { field: string }[] } } };
    expect(status).toBe(400);
    expect(error.details.errors.map(({ field }) => field)).toEqual(['imp[0].bidfloor', 'at', 'tmax']);
  });
});

describe('auctions', () => {
  test('test traffic is listed with its waterfall', async () => {
    const id = requestIdOf(await tryText(JSON.stringify(example('blocked-advertiser'))));
    const [found] = await find(id);
    expect(found).toMatchObject({ requestId: id, test: true, outcome: 'bid', status: 200, publisher: 'pub-42' });
    expect(found!.winners).toMatchObject([{ impid: '1', partner: 'shop', currency: 'USD' }]);
    expect(found!.partners.find(({ name }) => name === 'alpha')).toMatchObject({
      rejected: [{ reason: 'blocked_advertiser', detail: 'badv blocks adomain "fellgrip.example"' }],
    });
    expect(found!.hardDeadlineMs).toBeGreaterThan(0);
  });

  test('live traffic is listed without personal data, found by the id of the bid request', async () => {
    const { test: _test, ...request } = example('coppa');
    const address = '198.51.100.77';
    expect((await sendLive({ ...request, id: 'live-1' }, address)).status).toBe(200);
    const [found] = await find('live-1');
    expect(found).toMatchObject({ bidRequestId: 'live-1', test: false, outcome: 'bid', site: 'news.example' });
    expect(found!.partners.length).toBeGreaterThan(0);
    const text = JSON.stringify(found);
    for (const personal of [address, '203.0.113.77', 'user-1', '6f0c1d7e', 'Delft', 'Mozilla'])
      expect(text).not.toContain(personal);
  });

  test('errors quote no personal value', async () => {
    const request = { ...example('level-1'), test: 0, id: 'live-2', regs: { coppa: 7345 } };
    expect((await sendLive(request)).status).toBe(400);
    const [found] = await find('live-2');
    expect(found).toMatchObject({ outcome: 'invalid', status: 400, error: { field: 'regs.coppa' }, partners: [] });
    expect(JSON.stringify(found!.error)).not.toContain('7345');
  });
});

test('errors are counted by publisher, code and field over all workers, without test traffic', async () => {
  const request = { ...example('level-1'), test: 0, tmax: 5, site: { publisher: { id: 'pub-wrong' } } };
  for (let i = 0; i < 6; i++) await sendLive(request);
  await sendLive({ ...request, test: 1 });
  const { errors } = await api<Errors>('errors');
  const row = errors.find(({ publisher }) => publisher === 'pub-wrong');
  expect(row).toMatchObject({ code: 'INVALID_FIELD_VALUE', field: 'tmax', count: 6 });
  expect(await find(row!.latestRequestId)).toHaveLength(1);
});

test('errors stay counted after the workers are replaced', async () => {
  const countOf = async () => {
    const { errors } = await api<Errors>('errors');
    return errors.find(({ publisher }) => publisher === 'pub-before')?.count;
  };
  const request = { ...example('level-1'), test: 0, tmax: 5, site: { publisher: { id: 'pub-before' } } };
  for (let i = 0; i < 3; i++) await sendLive(request);
  gavel.process.kill('SIGHUP');
  await until('the workers are replaced', () => gavel.output().includes('"rolling restart completed'));
  expect(await countOf()).toBe(3);
  await sendLive(request);
  expect(await countOf()).toBe(4);
});

describe('live', () => {
  const history = () => api<History>('history');
  const sum = (samples: readonly LiveSample[], read: (sample: LiveSample) => number | undefined): number =>
    samples.reduce((total, sample) => total + (read(sample) ?? 0), 0);
  const callsOf = ({ partners }: LiveSample) => partners.find(({ name }) => name === 'alpha')?.calls;

  test('the history has live traffic by outcome and by partner, and test traffic apart', async () => {
    const fromMs = Date.now();
    const later = async () => (await history()).samples.filter(({ timeMs }) => timeMs > fromMs + 1_000);
    await until('earlier requests are in a sample', async () => (await later()).length > 0);
    const before = (await history()).samples;
    for (let i = 0; i < 5; i++) await sendLive({ ...example('level-1'), test: 0, id: `live-${i + 10}` });
    for (let i = 0; i < 3; i++) await tryText(JSON.stringify(example('level-1')));
    const counted = async (read: (sample: LiveSample) => number | undefined) =>
      sum((await history()).samples, read) - sum(before, read);
    await until('all are counted', async () => (await counted(({ testRequests }) => testRequests)) === 3);
    await until('live ones too', async () => (await counted(({ outcomes }) => outcomes.bid)) === 5);
    expect(await counted(callsOf)).toBe(5);
    const { samples, targetsMs } = await history();
    expect(targetsMs).toEqual({ p50: 50, p95: 100, p99: 200 });
    expect(samples.at(-1)).toMatchObject({ workers: { ready: 2, expected: 2 }, limitMode: 'embedded' });
  });

  test('the stream has one sample per second', async () => {
    const response = await fetch(`${gavel.admin}/console/api/live`, { headers });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (text.split('data: ').length < 4) text += (await reader.read()).value ?? '';
    await reader.cancel();
    const [first, second] = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!) as LiveSample);
    expect(second!.timeMs - first!.timeMs).toBeGreaterThan(0);
  });
});

describe('access', () => {
  test('the token is required, and never in a response or in the log', async () => {
    const response = await fetch(`${gavel.admin}/console/api/history`);
    expect(response.status).toBe(401);
    expect(gavel.output()).not.toContain(token);
  });

  test('on a public address without a token the console is off, and one log line says so', async () => {
    const open = await startGavel({ WORKERS: '1', ADMIN_HOST: '0.0.0.0' });
    try {
      expect((await fetch(`${open.admin}/console/`)).status).toBe(403);
      expect((await fetch(`${open.admin}/readyz`)).status).toBe(200);
      expect(open.readyLine).not.toContain('console=');
      expect(open.output().match(/the console is off/g)).toHaveLength(1);
    } finally {
      await open.end();
    }
  });
});
