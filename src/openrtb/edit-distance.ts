/** The number of characters to insert, delete, replace or swap with their neighbour that turns one text into another. */

/** The distance, if it is at most `max`; else some number above it. The cost is the length of a text times `max`. */
export function editDistance(a: string, b: string, max: number): number {
  const excess = max + 1;
  if (Math.abs(a.length - b.length) > max) return excess;
  const newRow = () => Array.from({ length: b.length + 1 }, () => excess);
  let [beforePrevious, previous, current] = [newRow(), newRow(), newRow()];
  for (let column = 0; column <= Math.min(max, b.length); column++) previous[column] = column;
  for (let row = 1; row <= a.length; row++) {
    // Further from the diagonal, the distance is above `max`.
    const first = Math.max(row - max, 0);
    const last = Math.min(row + max, b.length);
    let least = excess;
    if (first > 0) current[first - 1] = excess;
    for (let column = first; column <= last; column++) {
      current[column] = column === 0 ? row : distanceAt(row, column);
      least = Math.min(least, current[column]!);
    }
    if (least > max) return excess;
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  return previous[b.length]!;

  function distanceAt(row: number, column: number): number {
    const isSame = a[row - 1] === b[column - 1];
    const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
    return Math.min(
      previous[column - 1]! + (isSame ? 0 : 1),
      column < row + max ? previous[column]! + 1 : excess,
      current[column - 1]! + 1,
      isSwap ? beforePrevious[column - 2]! + 1 : excess,
    );
  }
}
