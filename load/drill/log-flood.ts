/** What the faults of the log share: more lines than the exchange keeps, and what shows that it dropped some. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Expected, rate } from './drill.ts';
import { allWorkersReady, hasGrown } from './signs.ts';
import type { SteadyClient } from './steady-client.ts';

export const logsAll = { LOG_SAMPLE: '1' };

/** 2,500 lines of more than 500 bytes are more than 1 MiB, which a process keeps. */
const flood = { perSecond: 320, ms: 8_000 };

export async function floodLog(client: SteadyClient): Promise<void> {
  client.setRate(flood.perSecond);
  await sleep(flood.ms);
  client.setRate(rate);
}

/** The same request with an id, a publisher and a domain as long as the log has them. */
export function withLongNames(request: Buffer): Buffer {
  const [head, text] = request.toString().split('\r\n\r\n');
  const { id, site, ...rest } = JSON.parse(text!) as { id: string; site: { publisher: { id: string } } };
  const publisher = { id: site.publisher.id.padEnd(64, '-') };
  const domain = `${'long-name.'.repeat(24)}example`;
  const body = JSON.stringify({ ...rest, id: id.padEnd(64, '-'), site: { ...site, publisher, domain } });
  return Buffer.from(`${head!.replace(/Content-Length: \d+/, `Content-Length: ${body.length}`)}\r\n\r\n${body}`);
}

export const linesDropped: Expected = {
  metric: { series: 'exchange_log_lines_dropped_total', shows: hasGrown },
  logLine: { msg: 'log lines dropped' },
  isNormal: allWorkersReady,
  recoversWithLogLine: true,
};
