/** The kinds of auction samples. A flood of one kind must not displace the others: neither in a worker nor in the list of the console. */

export type SampleKind = 'error' | 'test' | 'other';

export function sampleKind(test: boolean, error: object | null | undefined): SampleKind {
  if (test) return 'test';
  return error ? 'error' : 'other';
}
