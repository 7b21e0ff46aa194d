/** Says whether a running exchange meets its targets: exit status 0 if its latencies do, 1 if not, 2 if it cannot be asked. */
import type { SloReport } from '../src/observe/slo.ts';

const admin = process.env.ADMIN_URL ?? `http://127.0.0.1:${process.env.ADMIN_PORT ?? 9464}`;

async function ask(): Promise<SloReport> {
  try {
    const answer = await fetch(`${admin}/slo`);
    return (await answer.json()) as SloReport;
  } catch (error) {
    process.stderr.write(`no exchange answers at ${admin} (ADMIN_URL, ADMIN_PORT): ${(error as Error).message}\n`);
    process.exit(2);
  }
}

const { targets, measured, met, windowSeconds } = await ask();
const latencies = ['p50Ms', 'p95Ms', 'p99Ms'] as const;
process.stdout.write(`live traffic of the last ${windowSeconds} s\n`);
for (const name of latencies) {
  const verdict = measured[name] === null ? 'no traffic' : met[name] ? 'met' : 'NOT MET';
  process.stdout.write(
    `  ${name.padEnd(6)} ${String(measured[name] ?? '-').padStart(10)}  target < ${targets[name]}  ${verdict}\n`,
  );
}
// How much was asked for is not the exchange's doing: what it can do is shown by a benchmark, not by its traffic.
const rate = met.rps ? 'met' : 'less was asked for';
process.stdout.write(
  `  ${'rps'.padEnd(6)} ${String(measured.rps ?? '-').padStart(10)}  target >= ${targets.rps}  ${rate}\n`,
);
const isMet = latencies.every((name) => met[name]);
process.stdout.write(isMet ? 'the latency targets are met\n' : 'the latency targets are NOT met\n');
process.exitCode = isMet ? 0 : 1;
