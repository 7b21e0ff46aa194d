/** The number of characters to insert, delete, replace or swap with their neighbour that turns one text into another. */

/** Texts are expected to be short: the cost is the product of their lengths. */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      let least = Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) least = Math.min(least, beforePrevious[column - 2]! + 1);
      current.push(least);
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[b.length]!;
}
