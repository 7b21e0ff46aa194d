/** Compares a running exchange with its SLO: exit code 0 if the latency targets are met, 1 if not, 2 if it is unreachable. */
import type { SloReport } from '../src/observe/slo.ts';

const admin = process.env.ADMIN_URL ?? `http://127.0.0.1:${process.env.ADMIN_PORT ?? 9464}`;

async function fetchReport(): Promise<SloReport> {
  try {
    const response = await fetch(`${admin}/slo`);
    return (await response.json()) as SloReport;
  } catch (error) {
    process.stderr.write(`no exchange at ${admin} (set ADMIN_URL or ADMIN_PORT): ${(error as Error).message}\n`);
    process.exit(2);
  }
}

const { targets, measured, met, windowSeconds } = await fetchReport();
const latencies = ['p50Ms', 'p95Ms', 'p99Ms'] as const;
const print = (name: keyof typeof targets, sign: string, result: string) =>
  process.stdout.write(
    `  ${name.padEnd(6)} ${String(measured[name] ?? '-').padStart(10)}  target ${sign} ${targets[name]}  ${result}\n`,
  );

process.stdout.write(`live traffic of the last ${windowSeconds} s\n`);
for (const name of latencies) print(name, '<', measured[name] === null ? 'no traffic' : met[name] ? 'met' : 'NOT MET');
// Traffic below the throughput target does not fail the SLO: only a benchmark can measure the capacity.
print('rps', '>=', met.rps ? 'met' : 'traffic below target');
const isMet = latencies.every((name) => met[name]);
process.stdout.write(isMet ? 'latency targets met\n' : 'latency targets NOT met\n');
process.exitCode = isMet ? 0 : 1;
