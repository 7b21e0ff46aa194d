/** What `make fuzz` prints: a table with one row per target, and every finding with its reproduction. */
import type { ReportedFinding, TargetReport } from './run-target.ts';

const mebibyte = 1024 * 1024;
const columns = ['target', 'inputs', 'inputs/s', 'slowest µs', 'heap growth MiB', 'findings', 'verdicts'];

export function formatTable(reports: readonly TargetReport[]): string {
  const rows = [columns, ...reports.map(toRow)];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const isText = (column: number) => column === 0 || column === columns.length - 1;
  return rows
    .map((row) =>
      row
        .map((cell, column) => (isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function toRow({ name, stats, seconds, findings, missingVerdicts }: TargetReport): string[] {
  const { inputs, slowestMicros, heapGrowthBytes, verdicts } = stats;
  return [
    name,
    inputs.toLocaleString('en'),
    Math.round(inputs / seconds).toLocaleString('en'),
    Math.round(slowestMicros).toLocaleString('en'),
    (heapGrowthBytes / mebibyte).toFixed(1),
    String(findings.length),
    [
      ...Object.entries(verdicts).map(([verdict, count]) => `${verdict} ${Math.round((100 * count) / inputs)}%`),
      ...missingVerdicts.map((verdict) => `${verdict} never`),
    ].join(', '),
  ];
}

/** Longer inputs are replayed by seed and index. */
const maxPrintedBytes = 3_000;

export function formatFinding(name: string, finding: ReportedFinding, seed: number): string {
  const { kind, message, index, count, input, reproduced } = finding;
  const lines = [
    `${name}: ${kind}: ${message}`,
    `  ${count} ${count === 1 ? 'input' : 'inputs'}, the first is number ${index}: make fuzz TARGET=${name} SEED=${seed} FROM=${index} FUZZ=1`,
  ];
  if (!reproduced) lines.push('  the input alone does not show it in a fresh process: it needs the inputs before it');
  if (input.length > maxPrintedBytes) lines.push(`  shrunk to ${input.length} bytes, too long to print`);
  else if (input.length > 0) {
    lines.push(
      `  shrunk to ${input.length} bytes: make fuzz TARGET=${name} INPUT=${Buffer.from(input).toString('base64')}`,
    );
  }
  return lines.join('\n');
}
