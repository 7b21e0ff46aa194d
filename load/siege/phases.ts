/** The processes of the siege, and the phases that they run together. */
import { setTimeout as sleep } from 'node:timers/promises';
import { redisPid } from '../bench/machine/counters.ts';
import { watchOtherLoad } from '../bench/machine/processes.ts';
import type { RedisServer } from '../../tests/support/redis-server.ts';
import { startBenchRedis, temporaryFolder } from '../bench/machine/start.ts';
import { attacks } from './attack-list.ts';
import { hostilePartner } from './attacks/hostile-partner.ts';
import { type SiegedExchange, startExchange } from './exchange.ts';
import type { AttackCommand, AttackReport } from './roles/attackers.ts';
import type { ClientCommand, ClientReport } from './roles/ordinary-client.ts';
import type { PartnersCommand, PartnersReport } from './roles/partners.ts';
import { attackerPriority, clientPriority, type Role, startRole } from './roles/role.ts';
import { pauseMs, steadySeat } from './settings.ts';
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

/** The hostile partner is a process of its own: its large responses must not delay the others. */
interface Partners {
  ordinary: PartnersRole;
  hostile: PartnersRole;
}

export class Siege {
  readonly exchange: SiegedExchange;
  readonly #client: Role<ClientCommand, ClientReport>;
  readonly #partners: PartnersRole;
  readonly #hostilePartner: PartnersRole;
  readonly #attackers: readonly Role<AttackCommand, AttackReport>[];
  readonly #redis: RedisServer;
  readonly #redisPid: number;

  private constructor(exchange: SiegedExchange, redis: RedisServer, pid: number, partners: Partners) {
    const port = String(exchange.port);
    this.exchange = exchange;
    this.#redis = redis;
    this.#redisPid = pid;
    this.#partners = partners.ordinary;
    this.#hostilePartner = partners.hostile;
    this.#client = startRole('ordinary-client.ts', [port], clientPriority);
    this.#attackers = Array.from({ length: attackerProcesses }, () =>
      startRole('attackers.ts', [port], attackerPriority),
    );
  }

  static async start(): Promise<Siege> {
    const redis = await startBenchRedis();
    const client = redis.client();
    const pid = await redisPid(client);
    client.disconnect();
    const partners: Partners = {
      ordinary: startRole('partners.ts', [steadySeat, 'products']),
      hostile: startRole('partners.ts', ['hostile']),
    };
    const ports = {
      ...(await partners.ordinary.run({ hostile: false })).ports,
      ...(await partners.hostile.run({ hostile: false })).ports,
    };
    return new Siege(await startExchange(redis.url, ports, temporaryFolder()), redis, pid, partners);
  }

  /** Runs the ordinary client, and the attacks of these names beside it. */
  async run(seconds: number, names: readonly string[] = []): Promise<Phase> {
    this.exchange.log.drain();
    await sleep(pauseMs);
    const running = attacks.filter(({ name }) => names.includes(name));
    if (running.some(({ withUnreadLog }) => withUnreadLog)) this.exchange.log.leaveUnread();
    const stopWatching = watchExchange(this.exchange, this.#helperPids());
    const stopOtherLoad = watchOtherLoad(this.#ownPids());
    if (running.some(({ withHostilePartner }) => withHostilePartner)) await this.#hostilePartner.run({ hostile: true });
    await Promise.all(this.#attackers.map((role, index) => role.run({ start: shareOf(names, index) })));
    const client = await this.#client.run({ seconds });
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
    const { hostileResponses } = await this.#hostilePartner.run({ hostile: false });
    const { name } = hostilePartner;
    return names.includes(name) ? { [name]: { planned: 0, sent: hostileResponses, responses: {} } } : {};
  }

  stop(): void {
    for (const role of this.#roles()) role.stop();
    this.exchange.stop();
    this.#redis.signal('SIGKILL');
  }

  #roles(): Pick<Role<object, object>, 'pid' | 'stop'>[] {
    return [this.#client, this.#partners, this.#hostilePartner, ...this.#attackers];
  }

  #helperPids(): number[] {
    return [this.#redisPid, ...this.#roles().map(({ pid }) => pid)];
  }

  /** Workers that are replaced later count as unrelated. */
  #ownPids(): number[] {
    return [this.exchange.primary, ...this.exchange.workers(), ...this.#helperPids()];
  }
}

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
