/** Finds parts of a message whose worst value takes too much work: far more than a plain message, or more than linear. */
import { sampleAt } from '../../load/audit/audit-case.ts';
import { type Part, partName } from '../../load/audit/parts.ts';
import { writeAt } from '../../load/audit/write-json.ts';
import type { WorstValue } from '../../load/audit/values/worst-value.ts';
import { worstValues } from '../../load/audit/values/worst-values.ts';
import type { WorkCounter } from './work-counter.ts';

/** What is audited: messages with these parts. */
export interface AuditedMessage {
  parts: readonly Part[];
  sampleFor: (part: Part) => object;
  /** Handles a message as the exchange would. */
  handle: (text: string) => unknown;
  plain: (bytes: number) => string;
}

/** The share of the values for parsers that is tried, from 0 to 1; another share at each part. */
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
const suspiciousAverage = 2.5;
const groupSize = 4;
const usualItems = 20;
/** The first values of each type are general; the others are for parsers. */
const generalValues = 6;

export async function auditWork(
  message: AuditedMessage,
  counter: WorkCounter,
  share: ValueShare,
): Promise<Finding[]> {
  const workOf = async (...texts: string[]): Promise<number> => {
    counter.take();
    for (const text of texts) await message.handle(text);
    return counter.take();
  };
  const plainOf = async (size: number) => {
    await workOf(message.plain(size));
    return workOf(message.plain(size));
  };
  const plainWork = await plainOf(2 * bytes + 2_000);
  const findings: Finding[] = [];
  for (const [index, part] of message.parts.entries()) {
    const cases = casesOf(part, message.sampleFor(part)).filter((_, rank) => isInShare(rank, index, share));
    for (let start = 0; start < cases.length; start += groupSize) {
      const group = cases.slice(start, start + groupSize);
      const work = await workOf(...group.map(({ write }) => write(2 * bytes)));
      if (work < plainWork * suspiciousAverage * group.length) continue;
      const found: Finding[] = [];
      for (const one of group) found.push(...(await auditCase(part, one)));
      findings.push(...found);
      if (found.length > 0) break; // one group is enough to name the part
    }
  }
  return findings;

  async function auditCase(part: Part, { name, write }: WorkCase): Promise<Finding[]> {
    const found = { part: partName(part), value: name };
    const larger = await workOf(write(2 * bytes));
    const smaller = await workOf(write(bytes));
    const findings: Finding[] = [];
    const limit = Math.round(smaller * maxGrowth + plainWork);
    if (larger > limit) findings.push({ ...found, problem: 'more than linear', work: larger, limit });
    const most = plainWork * maxRatio;
    if (larger > most) findings.push({ ...found, problem: 'far more than a plain message', work: larger, limit: most });
    return findings;
  }
}

interface WorkCase {
  name: string;
  /** A message with a value of this size. */
  write: (bytes: number) => string;
}

const isInShare = (rank: number, part: number, share: ValueShare): boolean =>
  rank < generalValues || ((rank + part) * share) % 1 < share;

/** Each call writes another message, so that no cache hides the work. */
function casesOf(part: Part, sample: object): WorkCase[] {
  const values = worstValues(part, sampleAt(sample, part.steps));
  const most = Math.min(usualItems, part.maxItems.at(-1) ?? Infinity);
  const inLists = part.maxItems.length === 0 ? [] : values.slice(0, generalValues);
  return [...inLists.map((worst) => toCase(part, sample, worst, most)), ...values.map((worst) => toCase(part, sample, worst, 1))];
}

let messages = 0;

function toCase({ steps, maxItems }: Part, sample: object, worst: WorstValue, items: number): WorkCase {
  const copies = maxItems.map((_, list) => (list === maxItems.length - 1 ? items : 1));
  return {
    name: items > 1 ? `${items} × ${worst.name}` : worst.name,
    write: (size) => {
      const seed = (++messages).toString(36).padStart(4, 'a');
      return writeAt(sample, { steps, copies }, (index) =>
        worst.write(Math.floor(size / items), `${index.toString(36).padStart(3, 'b')}${seed}`),
      );
    },
  };
}
