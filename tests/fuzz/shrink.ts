/** Shrinks an input that shows a finding: removes ever smaller pieces for as long as the finding stays. */

/** `stillFails` is called at most `maxTries` times. */
export async function shrink(
  input: Uint8Array,
  stillFails: (candidate: Uint8Array) => Promise<boolean>,
  maxTries: number,
): Promise<Uint8Array> {
  let smallest = input;
  let tries = 0;
  for (let piece = Math.ceil(input.length / 2); piece >= 1 && tries < maxTries; piece = nextPiece(piece)) {
    for (let start = 0; start < smallest.length && tries < maxTries; tries++) {
      const candidate = Buffer.concat([smallest.subarray(0, start), smallest.subarray(start + piece)]);
      if (await stillFails(candidate)) smallest = candidate;
      else start += piece;
    }
  }
  return smallest;
}

const nextPiece = (piece: number): number => (piece === 1 ? 0 : Math.floor(piece / 2));
