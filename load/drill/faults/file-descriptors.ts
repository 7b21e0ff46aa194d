/** The connections of a hostile client take all file descriptors of the workers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { holdConnections, Tally } from '../../siege/attack.ts';
import type { Fault } from '../fault.ts';
import type { IsNormal } from '../judge.ts';
import { allWorkersReady, hasGrown } from '../signs.ts';

const maxFiles = 256;
/** More than two workers can have, and fewer than one address may have at a worker. */
const connections = 700;

export const fileDescriptors: Fault = {
  name: 'file-descriptors',
  title: `${connections} silent connections of a client for 6 s, to workers with ${maxFiles} file descriptors each`,
  allowance: {
    why: 'a worker without a file descriptor closes new connections; requests on kept ones must not fail.',
    max: Infinity,
    covers: ({ isFresh, dueAtMs }, { beganAtMs, endedAtMs }) => isFresh && dueAtMs >= beganAtMs && dueAtMs < endedAtMs,
  },
  maxRecoveryMs: 3_000,
  async run(drill) {
    const redis = await drill.startRedis();
    const wrapper = ['sh', '-c', 'ulimit -n "$0" && exec "$@"', String(maxFiles)];
    const exchange = await drill.startExchange({ redisUrl: redis.url, wrapper });
    await drill.startLoad();
    const before = exchange.workers();
    const hostile = new AbortController();
    drill.onEnd(() => hostile.abort());
    drill.faultBegins();
    holdConnections(
      { port: exchange.port, addresses: ['127.0.0.2'], tally: new Tally(), signal: hostile.signal },
      { perAddress: connections, perSecond: connections, reopenMs: 500, onOpen: (socket) => socket.resume() },
    );
    await sleep(6_000);
    const survivors = exchange.workers().filter((pid) => before.includes(pid));
    drill.expect(
      `${survivors.length} of ${before.length} workers survived, goal all`,
      survivors.length === before.length,
    );
    hostile.abort();
    drill.faultEnds();
    return drill.observe({
      metric: { series: 'exchange_descriptors_exhausted_seconds_total', shows: hasGrown },
      logLine: { msg: 'no file descriptor is left' },
      isNormal: (values) => allWorkersReady(values) && hasFreeFiles(values),
    });
  },
};

const hasFreeFiles: IsNormal = (values) => values.get('process_open_fds')! < values.get('process_max_fds')!;
