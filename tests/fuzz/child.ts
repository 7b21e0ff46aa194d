/** The child process of a fuzz target: generates inputs, runs them and reports what it finds. */
import { pathToFileURL } from 'node:url';
import { randomFor } from './generate/random.ts';
import { HeapWatch } from './heap-watch.ts';
import { InputRunner } from './input-runner.ts';
import type { FromChild, FuzzRange, RunStats, ToChild } from './protocol.ts';
import { StateFile } from './state-file.ts';
import type { FuzzTarget } from './target.ts';

const [targetPath = '', targetName = '', statePath = ''] = process.argv.slice(2);
/** Messages are sent and health is checked after this many inputs. */
const roundInputs = 100;
/** Memory is measured from then on: code is loaded and compiled. */
const warmUpInputs = 300;

const { target } = (await import(pathToFileURL(targetPath).href)) as { target: FuzzTarget };
const running = await target.start();
const heap = new HeapWatch();
const runner = new InputRunner(target, running, new StateFile(statePath), heap);

const send = (message: FromChild): void => void process.send!(message);

async function fuzz({ seed, from, to, checkTime }: FuzzRange): Promise<void> {
  const stats: RunStats = { inputs: 0, slowestMicros: 0, heapGrowthBytes: 0, verdicts: {} };
  const middle = from + Math.floor((to - from) / 2);
  for (let index = from; index < to; index++) {
    if (index === from + warmUpInputs) await startHeapWatch();
    if (index === middle) heap.markMiddle();
    const input = target.generate(randomFor(seed, targetName, index));
    const { verdict, finding } = await runner.run(index, input, checkTime);
    if (finding) send({ kind: 'finding', finding });
    else stats.verdicts[verdict!] = (stats.verdicts[verdict!] ?? 0) + 1;
    stats.inputs++;
    if (index % roundInputs !== roundInputs - 1 && index !== to - 1) continue;
    await reportStray(seed, Math.max(from, index + 1 - roundInputs), index);
    await endRound(index, input, stats);
  }
  const { growthBytes, problem } = heap.finish();
  stats.heapGrowthBytes = growthBytes;
  if (problem !== undefined) {
    send({ kind: 'finding', finding: { kind: 'memory', message: problem, index: to - 1, input: new Uint8Array() } });
  }
  send({ kind: 'done', stats });
}

/** Full caches do not count as growth. */
async function startHeapWatch(): Promise<void> {
  await running.evictCaches?.();
  heap.markStart();
}

async function endRound(index: number, input: Buffer, stats: RunStats): Promise<void> {
  const finding = await runner.checkHealth(index, input);
  if (finding) send({ kind: 'finding', finding });
  stats.slowestMicros = runner.slowestMicros;
  send({ kind: 'progress', stats });
}

/** Runs the inputs of a round one by one to find the one behind an exception that reached no call. */
async function reportStray(seed: number, first: number, last: number): Promise<void> {
  const input = (index: number): Buffer => target.generate(randomFor(seed, targetName, index));
  let finding = await runner.takeStray(last, Buffer.alloc(0));
  if (!finding) return;
  for (let index = first; index <= last; index++) {
    await runner.run(index, input(index), false);
    const found = await runner.takeStray(index, input(index));
    if (!found) continue;
    finding = found;
    break;
  }
  send({ kind: 'finding', finding });
}

async function runOne(bytes: Uint8Array, checkTime: boolean): Promise<void> {
  const input = Buffer.from(bytes);
  const { verdict, finding } = await runner.run(0, input, checkTime);
  const stray = await runner.takeStray(0, input);
  send({ kind: 'ran', verdict, finding: finding ?? stray ?? (await runner.checkHealth(0, input)) });
}

process.on('message', (message: ToChild) => {
  void (message.kind === 'fuzz' ? fuzz(message) : runOne(message.input, message.checkTime));
});
process.on('disconnect', () => process.exit());
send({ kind: 'ready', weight: target.weight, verdicts: target.verdicts });
