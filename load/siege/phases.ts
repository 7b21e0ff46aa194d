/** The processes of the siege, and the phases that they run together. */
import { setTimeout as sleep } from 'node:timers/promises';
import { redisPid } from '../bench/machine/counters.ts';
import { watchOtherLoad } from '../bench/machine/processes.ts';
import type { RedisServer } from '../../tests/support/redis-server.ts';
import { startBenchRedis, temporaryFolder } from '../bench/machine/start.ts';
import type { Attack } from './attack.ts';
import { attacks } from './attack-list.ts';
import { hostilePartner } from './attacks/hostile-partner.ts';
import { type SiegedExchange, startExchange } from './exchange.ts';
import type { AttackCommand, AttackReport } from './roles/attackers.ts';
import type { ClientCommand, ClientReport } from './roles/ordinary-client.ts';
import type { Hostility, PartnersCommand, PartnersReport } from './roles/partners.ts';
import { type Role, startRole } from './roles/role.ts';
import { ordinary, pauseMs, steadySeat } from './settings.ts';
import { type Observation, watchExchange } from './watch.ts';

export interface Phase {
  client: ClientReport;
  /** By attack. */
  attacks: AttackReport;
  exchange: Observation;
  /** The share of the machine that unrelated processes took. */
  otherLoad: number;
}

/** Attacks are divided among this many processes, so that a bulky attack does not slow the others down. */
const attackerProcesses = 2;

type PartnersRole = Role<PartnersCommand, PartnersReport>;

/** Processes of their own: large responses of one must not delay another. */
interface Partners {
  steady: PartnersRole;
  products: PartnersRole;
  hostile: PartnersRole;
}

export class Siege {
  readonly exchange: SiegedExchange;
  readonly #client: Role<ClientCommand, ClientReport>;
  readonly #partners: Partners;
  readonly #attackers: readonly Role<AttackCommand, AttackReport>[];
  readonly #redis: RedisServer;
  readonly #redisPid: number;

  private constructor(exchange: SiegedExchange, redis: RedisServer, pid: number, partners: Partners) {
    const port = String(exchange.port);
    this.exchange = exchange;
    this.#redis = redis;
    this.#redisPid = pid;
    this.#partners = partners;
    this.#client = startRole('ordinary-client.ts', [port], 'first');
    this.#attackers = Array.from({ length: attackerProcesses }, () => startRole('attackers.ts', [port], 'idle'));
  }

  /** Of this checkout's exchange, unless the folder of another one is given. */
  static async start(checkout?: string): Promise<Siege> {
    const redis = await startBenchRedis();
    const client = redis.client();
    const pid = await redisPid(client);
    client.disconnect();
    const partners: Partners = {
      steady: startRole('partners.ts', [steadySeat]),
      products: startRole('partners.ts', ['products']),
      hostile: startRole('partners.ts', ['hostile']),
    };
    const reports = await Promise.all(Object.values(partners).map((role) => role.run({ hostility: 'none' })));
    const ports = Object.assign({}, ...reports.map((report) => report.ports)) as PartnersReport['ports'];
    const exchange = await startExchange(redis.url, ports, temporaryFolder(), checkout);
    return new Siege(exchange, redis, pid, partners);
  }

  /** Runs the ordinary client, and the attacks of these names beside it. */
  async run(seconds: number, names: readonly string[] = [], perSecond = ordinary.perSecond): Promise<Phase> {
    this.exchange.log.drain();
    await sleep(pauseMs);
    const running = attacks.filter(({ name }) => names.includes(name));
    if (running.some(({ withUnreadLog }) => withUnreadLog)) this.exchange.log.leaveUnread();
    const stopWatching = watchExchange(this.exchange, this.#helperPids());
    const stopOtherLoad = watchOtherLoad(this.#ownPids());
    await this.#partners.hostile.run({ hostility: worstOf(running) });
    await Promise.all(this.#attackers.map((role, index) => role.run({ start: shareOf(names, index) })));
    const client = await this.#client.run({ seconds, perSecond });
    const reports = await Promise.all(this.#attackers.map((role) => role.run({ stop: true })));
    const hostileReport = await this.#disarmHostilePartner(names);
    return {
      client,
      attacks: Object.assign({}, ...reports, hostileReport) as AttackReport,
      exchange: stopWatching(),
      otherLoad: tryOr(stopOtherLoad, Number.NaN),
    };
  }

  async #disarmHostilePartner(names: readonly string[]): Promise<AttackReport> {
    const { hostileResponses } = await this.#partners.hostile.run({ hostility: 'none' });
    const { name } = hostilePartner;
    return names.includes(name) ? { [name]: { planned: 0, sent: hostileResponses, responses: {} } } : {};
  }

  stop(): void {
    for (const role of this.#roles()) role.stop();
    this.exchange.stop();
    this.#redis.signal('SIGKILL');
  }

  #roles(): Pick<Role<object, object>, 'pid' | 'stop'>[] {
    return [this.#client, ...Object.values(this.#partners), ...this.#attackers];
  }

  #helperPids(): number[] {
    return [this.#redisPid, ...this.#roles().map(({ pid }) => pid)];
  }

  /** Workers that are replaced later count as unrelated. */
  #ownPids(): number[] {
    return [this.exchange.primary, ...this.exchange.workers(), ...this.#helperPids()];
  }
}

const worstOf = (running: readonly Attack[]): Hostility =>
  running.find(({ hostility }) => hostility === 'everything')?.hostility ??
  running.find(({ hostility }) => hostility)?.hostility ??
  'none';

/** The attacks of one process. */
const shareOf = (names: readonly string[], process: number): string[] =>
  attacks
    .filter((_attack, index) => index % attackerProcesses === process)
    .map(({ name }) => name)
    .filter((name) => names.includes(name));

/** A worker that exited during the phase has no CPU time any more. */
function tryOr<T>(run: () => T, otherwise: T): T {
  try {
    return run();
  } catch {
    return otherwise;
  }
}
