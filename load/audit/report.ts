/** The table of the audit and its verdict. */
import { table } from '../results.ts';
import type { Measured } from './measure.ts';
import type { Sizes } from './messages.ts';

export const maxRatio = 10;
export const maxCpuMs = 50;

/** The worst case of each part by this figure, the highest first. */
export function worstPerPart(all: readonly Measured[], by: 'ratio' | 'cpuMs'): Measured[] {
  const worst = new Map<string, Measured>();
  for (const one of all) {
    const known = worst.get(one.part);
    if (!known || one[by] > known[by]) worst.set(one.part, one);
  }
  return [...worst.values()].toSorted((a, b) => b[by] - a[by]);
}

export const failures = (all: readonly Measured[]): Measured[] =>
  all.filter(({ ratio, cpuMs }) => ratio > maxRatio || cpuMs > maxCpuMs);

export const auditTable = (rows: readonly Measured[]): string[] =>
  table(
    ['part', 'worst value', 'bytes', 'status', 'CPU ms', 'plain, CPU ms', 'ratio'],
    rows.map(({ part, value, sizes, status, cpuMs, plainMs, ratio }) => [
      `\`${part}\``,
      value.replaceAll('|', String.raw`\|`),
      describeSizes(sizes),
      status === 0 ? 'none' : String(status),
      cpuMs.toFixed(2),
      plainMs.toFixed(2),
      `${ratio.toFixed(1)} ×`,
    ]),
  );

/** Of the request, and of the partner's response where it is not the ordinary one. */
const describeSizes = ({ request, bids, products }: Sizes): string =>
  [request, bids, products]
    .filter((bytes) => bytes !== undefined)
    .map((bytes) => String(bytes))
    .join(' + ');
