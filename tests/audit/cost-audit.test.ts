/** The short form of `make audit`: no value of a part takes far more work than a plain message, or more than linear work. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from '@jest/globals';
import type { Finding } from './audit-work.ts';

interface Audit {
  parts: string[];
  findings: Finding[];
}

/** `make audit` tries all values at each part, this test some of them, `make test-fast` fewer. */
const scale = Math.min(1, Number(process.env.PROPERTY_SCALE ?? 1));
const shares: Record<string, number> = { request: 0.5, 'test request': 0.2, bids: 0.5, products: 0.5, planted: 0.5 };

/** It computes for 20 s, longer on a busy machine. */
const timeoutMs = 600_000;

async function audit(kind: string): Promise<Audit> {
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: { kind, share: shares[kind]! * scale },
  });
  const [result] = (await once(worker, 'message')) as [Audit];
  await worker.terminate();
  return result;
}

const describeFinding = ({ part, value, problem, work, limit }: Finding): string =>
  `${part}: ${value}: ${problem} (${work} units, at most ${limit})`;

describe('work per message', () => {
  test.each(['request', 'test request', 'bids', 'products'])(
    '%s: every part is within its limit',
    async (kind) => {
      const { findings } = await audit(kind);
      expect(findings.map(describeFinding)).toEqual([]);
    },
    timeoutMs,
  );

  test('a field with a quadratic rule is found, though nothing lists it', async () => {
    const { parts, findings } = await audit('planted');
    expect(parts).toContain('planted');
    expect(new Set(findings.map(({ part }) => part))).toEqual(new Set(['planted']));
    expect(findings.map(({ problem }) => problem)).toContain('more than linear');
  });
});
