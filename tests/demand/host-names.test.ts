/** Host names of partners, resolved by a real DNS server on this machine. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { createCallPartner } from '../../src/demand/call-partner.ts';
import { Cancellation } from '../../src/demand/cancellation.ts';
import { HostNames, type HostNameOptions } from '../../src/demand/host-names.ts';
import { startNameServer, type Zone } from '../support/name-server.ts';
import { turnsAtOnce } from '../support/partner-environment.ts';
import { send, startPartner } from '../support/scripted-partner.ts';
import { until } from '../support/until.ts';
import { callOf } from './fake-call-partner.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const minuteMs = 60_000;

async function create(zones: Record<string, Zone>, options: HostNameOptions = {}) {
  const server = await startNameServer(zones);
  closers.push(() => server.close());
  const clock = { nowMs: 5_000 };
  const inSystem: string[] = [];
  const hostNames = new HostNames({
    nameServers: server.nameServers,
    readHosts: () => '',
    lookupInSystem: (name) => {
      inSystem.push(name);
      return Promise.reject(new Error(`the system does not know ${name}`));
    },
    nowMs: () => clock.nowMs,
    ...options,
  });
  const resolve = async (name: string) => (await hostNames.resolve(name)).map(({ address }) => address);
  return { ...server, hostNames, clock, inSystem, resolve };
}

test('slow names, more than libuv has threads, delay no other name', async () => {
  const released = Promise.withResolvers<void>();
  const names = Array.from({ length: 8 }, (_, index) => `slow-${index}.test`);
  const slow = Object.fromEntries(names.map((name) => [name, { a: ['10.0.0.1'], when: released.promise }]));
  const { resolve, queries } = await create({ ...slow, 'quick.test': { a: ['10.0.0.2'] } });
  let slowResolved = 0;
  const pending = names.map((name) => resolve(name).then(() => slowResolved++));
  await until('the slow names are queried', () => queries.length === names.length);
  expect(await resolve('quick.test')).toEqual(['10.0.0.2']);
  expect(slowResolved).toBe(0);
  released.resolve();
  await Promise.all(pending);
});

describe('an entry', () => {
  test('is used until its TTL has passed', async () => {
    const { resolve, queries, clock } = await create({ 'a.test': { a: ['10.0.0.1', '10.0.0.2'], ttl: 60 } });
    expect(await resolve('a.test')).toEqual(['10.0.0.1', '10.0.0.2']);
    clock.nowMs += minuteMs - 1;
    await resolve('a.test');
    expect(queries).toEqual(['a.test']);
  });

  test('that has expired is used at once while it is refreshed, by one query', async () => {
    const { resolve, queries, clock, zones } = await create({ 'a.test': { a: ['10.0.0.1'], ttl: 60 } });
    await resolve('a.test');
    const released = Promise.withResolvers<void>();
    zones['a.test'] = { a: ['10.0.0.2'], ttl: 60, when: released.promise };
    clock.nowMs += minuteMs;
    expect(await resolve('a.test')).toEqual(['10.0.0.1']);
    expect(await resolve('a.test')).toEqual(['10.0.0.1']);
    released.resolve();
    await until('the entry is refreshed', async () => (await resolve('a.test'))[0] === '10.0.0.2');
    expect(queries).toEqual(['a.test', 'a.test']);
  });

  test('that cannot be refreshed is used for an hour', async () => {
    const { resolve, clock, zones, inSystem } = await create({ 'a.test': { a: ['10.0.0.1'], ttl: 60 } });
    await resolve('a.test');
    zones['a.test'] = { a: [], rcode: 2 };
    clock.nowMs += 61 * minuteMs - 1;
    expect(await resolve('a.test')).toEqual(['10.0.0.1']);
    await until('the refresh has failed', () => inSystem.length > 0);
    clock.nowMs += 1;
    await expect(resolve('a.test')).rejects.toThrow();
  });

  test('with a TTL of 0 is used for a second', async () => {
    const { resolve, queries, clock } = await create({ 'a.test': { a: ['10.0.0.1'], ttl: 0 } });
    await resolve('a.test');
    clock.nowMs += 999;
    await resolve('a.test');
    expect(queries).toHaveLength(1);
    clock.nowMs += 1;
    await resolve('a.test');
    await until('it is queried again', () => queries.length === 2);
  });
});

test('a change is reported once: a name that cannot be resolved, and that can be again', async () => {
  const changes: string[] = [];
  const onChange = (name: string, error?: Error) => changes.push(`${name}: ${error?.message ?? 'resolved'}`);
  const { resolve, clock, zones } = await create({}, { onChange });
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(resolve('a.test')).rejects.toThrow();
    clock.nowMs += 1_000;
  }
  zones['a.test'] = { a: ['10.0.0.1'] };
  await resolve('a.test');
  await resolve('a.test');
  expect(changes).toEqual(['a.test: the system does not know a.test', 'a.test: resolved']);
});

test('lookups of one name at the same time share a query', async () => {
  const { resolve, queries } = await create({ 'a.test': { a: ['10.0.0.1'] } });
  await Promise.all(Array.from({ length: 20 }, () => resolve('a.test')));
  expect(queries).toEqual(['a.test']);
});

describe('a name that the name servers do not know', () => {
  test('is looked up by the system, which applies search domains, and kept for 30 seconds', async () => {
    const looked: string[] = [];
    const { resolve, clock } = await create(
      {},
      {
        lookupInSystem: (name) => {
          looked.push(name);
          return Promise.resolve([{ address: '10.0.0.9', family: 4 }]);
        },
      },
    );
    expect(await resolve('sandbox')).toEqual(['10.0.0.9']);
    clock.nowMs += 29_999;
    expect(await resolve('sandbox')).toEqual(['10.0.0.9']);
    expect(looked).toEqual(['sandbox']);
  });

  test('fails if the system does not know it either, and is tried again after a second', async () => {
    const { resolve, queries, clock } = await create({});
    await expect(resolve('nobody.test')).rejects.toThrow('the system does not know nobody.test');
    await expect(resolve('nobody.test')).rejects.toThrow('the system does not know nobody.test');
    expect(queries).toHaveLength(1);
    clock.nowMs += 1_000;
    await expect(resolve('nobody.test')).rejects.toThrow();
    expect(queries).toHaveLength(2);
  });
});

test('a family whose query fails keeps its addresses for an hour, and is queried again after a second', async () => {
  const servfail = Object.assign(new Error('server failure'), { code: 'ESERVFAIL' });
  let fails = false;
  let queries = 0;
  const nameServers = {
    resolve4: () => (
      queries++,
      fails ? Promise.reject(servfail) : Promise.resolve([{ address: '192.0.2.1', ttl: 60 }])
    ),
    resolve6: () => Promise.resolve([{ address: '2001:db8::1', ttl: 3_600 }]),
  };
  const { resolve, clock } = await create({}, { nameServers });
  const both = ['192.0.2.1', '2001:db8::1'];
  expect(await resolve('a.test')).toEqual(both);
  fails = true;
  clock.nowMs += minuteMs;
  for (let second = 0; second < 3; second++) {
    expect(await resolve('a.test')).toEqual(both);
    await new Promise((done) => setImmediate(done));
    expect(queries).toBe(2 + second);
    clock.nowMs += 1_000;
  }
  for (let minute = 0; minute < 60; minute++) {
    clock.nowMs += minuteMs;
    await resolve('a.test');
    await new Promise((done) => setImmediate(done));
  }
  expect(await resolve('a.test')).toEqual(['2001:db8::1']);
});

test('a family of which a name has no address is not queried before the others', async () => {
  const nodata = Object.assign(new Error('no data'), { code: 'ENODATA' });
  let queries = 0;
  const nameServers = {
    resolve4: () => (queries++, Promise.resolve([{ address: '192.0.2.1', ttl: 60 }])),
    resolve6: () => Promise.reject(nodata),
  };
  const { resolve, clock } = await create({}, { nameServers });
  await resolve('a.test');
  clock.nowMs += minuteMs - 1;
  await resolve('a.test');
  expect(queries).toBe(1);
});

test('a name whose name servers do not respond takes none of the threads of the system lookup', async () => {
  const timeout = Object.assign(new Error('timeout'), { code: 'ETIMEOUT' });
  const silent = { resolve4: () => Promise.reject(timeout), resolve6: () => Promise.reject(timeout) };
  const { resolve, inSystem } = await create({}, { nameServers: silent });
  await expect(resolve('a.test')).rejects.toBe(timeout);
  expect(inSystem).toEqual([]);
});

describe('the hosts file', () => {
  const hosts = '# comment\n127.0.0.1 localhost\n::1\tlocalhost ip6-localhost\n10.1.2.3  Partner.test alias # more\n';

  test.each([
    ['partner.test', ['10.1.2.3']],
    ['alias', ['10.1.2.3']],
    ['localhost', ['127.0.0.1', '::1']],
  ])('has precedence for %s', async (name, addresses) => {
    const { resolve, queries } = await create({ [name]: { a: ['10.0.0.1'] } }, { readHosts: () => hosts });
    expect(await resolve(name)).toEqual(addresses);
    expect(queries).toEqual([]);
  });

  test('may be missing: localhost is known all the same', async () => {
    const readHosts = () => {
      throw new Error('ENOENT');
    };
    const { resolve } = await create({ 'a.test': { a: ['10.0.0.1'] } }, { readHosts });
    expect(await resolve('localhost')).toEqual(['127.0.0.1']);
    expect(await resolve('a.test')).toEqual(['10.0.0.1']);
  });
});

test('calls to a partner use it', async () => {
  const partner = await startPartner((response) => send(response, '{"a":1}'));
  closers.push(() => partner.close());
  const { hostNames, queries } = await create({ 'partner.test': { a: ['127.0.0.1'] } });
  const handshakes: number[] = [];
  const callPartner = createCallPartner(turnsAtOnce, {
    lookup: hostNames.lookup,
    onHandshake: (durationMs) => handshakes.push(durationMs),
  });
  const url = partner.url.replace('127.0.0.1', 'Partner.test');
  expect((await callPartner(callOf(url), new Cancellation(), false)).body).toEqual({ a: 1 });
  expect(queries).toEqual(['partner.test']);
  expect(handshakes).toHaveLength(1);
});

test('a host without an address is an error of the call', async () => {
  const { hostNames } = await create({});
  const callPartner = createCallPartner(turnsAtOnce, { lookup: hostNames.lookup });
  expect(await callPartner(callOf('http://nobody.test:1/'), new Cancellation(), false)).toMatchObject({
    result: 'error',
  });
});
