/** Orders problems by their place in the request. */
import type { ProblemLocator } from './locate-problem.ts';
import type { Problem } from './read-result.ts';

export interface ListedProblem {
  problem: Problem;
  /** Counts from 1; undefined if the problem is not about the text. */
  line: number | undefined;
}

/** Problems without a place are first. */
export function listProblems(text: string, problems: readonly Problem[], locator: ProblemLocator): ListedProblem[] {
  const located = problems
    .map((problem) => ({ problem, from: locator.locate(problem)?.from }))
    .sort((a, b) => (a.from ?? -1) - (b.from ?? -1));
  let line = 1;
  let end = text.indexOf('\n');
  return located.map(({ problem, from }) => {
    if (from === undefined) return { problem, line: undefined };
    for (; end !== -1 && end < from; end = text.indexOf('\n', end + 1)) line += 1;
    return { problem, line };
  });
}
