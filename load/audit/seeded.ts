/** Seeds: four characters that make a message differ from every other one, so that no cache can hide what it costs. */

/** Stands for the seed in a prepared message. */
export const seedMark = 'q7zk';

let seeds = 0;

/** A seed that this process has not used before. */
export const nextSeed = (): string => (++seeds).toString(36).padStart(seedMark.length, 'a').slice(-seedMark.length);

/** Returns a function that copies the message and replaces the mark by a seed. */
export function seeded(message: Buffer): (seed: string) => Buffer {
  const marks: number[] = [];
  for (let at = message.indexOf(seedMark); at !== -1; at = message.indexOf(seedMark, at + seedMark.length))
    marks.push(at);
  return (seed) => {
    const copy = Buffer.from(message);
    for (const at of marks) copy.write(seed, at, 'latin1');
    return copy;
  };
}
