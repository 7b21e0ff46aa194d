/** Finds parts of a message whose worst value takes too much work: far more than a plain message, or more than linear. */
import { sampleAt } from '../../load/audit/audit-case.ts';
import type { SampledPart } from '../../load/audit/request-cases.ts';
import { writeAt } from '../../load/audit/write-json.ts';
import type { WorstValue } from '../../load/audit/values/worst-value.ts';
import { worstValues } from '../../load/audit/values/worst-values.ts';
import type { WorkCounter } from './work-counter.ts';

/** What is audited: messages with these parts. */
export interface AuditedMessage {
  parts: readonly SampledPart[];
  /** Handles a message as the exchange would. */
  handle: (text: string) => unknown;
  plain: (bytes: number) => string;
}

/** The share of the values that is tried, from 0 to 1: other values at each part. */
export type ValueShare = number;

export interface Finding {
  part: string;
  value: string;
  problem: 'more than linear' | 'far more than a plain message';
  work: number;
  limit: number;
}

const bytes = 2_000;
/** Twice the size may take a little more than twice the work: objects and maps grow in steps. */
const maxGrowth = 2.3;
const maxRatio = 10;
/** Values are handled in groups. A value above `maxRatio` makes the average of its group exceed this. */
const suspiciousAverage = 1.5;
const groupSize = 8;
const usualItems = 20;
/** The first values of each type; the others are for parsers. Only these are tried as items of a longer list. */
const generalValues = 6;

export async function auditWork(message: AuditedMessage, counter: WorkCounter, share: ValueShare): Promise<Finding[]> {
  const workOf: WorkOf = async (...texts) => {
    counter.reset();
    for (const text of texts) await message.handle(text);
    return counter.take();
  };
  const plainWork = await plainWorkBySize(message, workOf);
  const cases = message.parts.flatMap((part, index) =>
    casesOf(part).filter((_, rank) => isInShare(rank, index, share)),
  );
  const findings: Finding[] = [];
  for (let start = 0; start < cases.length; start += groupSize) {
    const group = cases.slice(start, start + groupSize);
    const texts = group.map(({ write }) => write(2 * bytes));
    const plain = texts.reduce((sum, text) => sum + plainWork(text), 0);
    if ((await workOf(...texts)) < plain * suspiciousAverage) continue;
    for (const one of group) findings.push(...(await auditCase(one, plainWork, workOf)));
  }
  return findings;
}

type WorkOf = (...texts: string[]) => Promise<number>;
/** The work for a plain message of the size of the text. */
type PlainWork = (text: string) => number;

/** It is linear in the size. The first message of each size loads code and fills caches. */
async function plainWorkBySize({ plain }: AuditedMessage, workOf: WorkOf): Promise<PlainWork> {
  const [small, large] = [plain(4_000), plain(24_000)];
  await workOf(small, large);
  const [smallWork, largeWork] = [await workOf(small), await workOf(large)];
  const perByte = (largeWork - smallWork) / (large.length - small.length);
  return (text) => smallWork + perByte * (Buffer.byteLength(text) - small.length);
}

async function auditCase({ part, value, write }: WorkCase, plainWork: PlainWork, workOf: WorkOf): Promise<Finding[]> {
  const text = write(2 * bytes);
  const work = await workOf(text);
  const smaller = await workOf(write(bytes));
  const found = { part, value, work };
  const findings: Finding[] = [];
  const linear = Math.round(smaller * maxGrowth + plainWork(''));
  if (work > linear) findings.push({ ...found, problem: 'more than linear', limit: linear });
  const most = Math.round(plainWork(text) * maxRatio);
  if (work > most) findings.push({ ...found, problem: 'far more than a plain message', limit: most });
  return findings;
}

interface WorkCase {
  part: string;
  value: string;
  /** A message with a value of this size. */
  write: (bytes: number) => string;
}

const isInShare = (rank: number, part: number, share: ValueShare): boolean => ((rank + part) * share) % 1 < share;

function casesOf(sampled: SampledPart): WorkCase[] {
  const { part, sample } = sampled;
  const values = worstValues(part, sampleAt(sample, part.steps));
  const most = Math.min(usualItems, part.maxItems.at(-1) ?? Infinity);
  const inLists = part.maxItems.length === 0 ? [] : values.slice(0, generalValues);
  return [...inLists.map((worst) => toCase(sampled, worst, most)), ...values.map((worst) => toCase(sampled, worst, 1))];
}

let messages = 0;

/** Each call of `write` writes another message, so that no cache hides the work. */
function toCase({ part, sample, name }: SampledPart, worst: WorstValue, items: number): WorkCase {
  const { steps, maxItems } = part;
  const copies = maxItems.map((_, list) => (list === maxItems.length - 1 ? items : 1));
  return {
    part: name,
    value: items > 1 ? `${items} × ${worst.name}` : worst.name,
    write: (size) => {
      const seed = (++messages).toString(36).padStart(4, 'a');
      return writeAt(sample, { steps, copies }, (index) =>
        worst.write(Math.floor(size / items), `${index.toString(36).padStart(3, 'b')}${seed}`),
      );
    },
  };
}
