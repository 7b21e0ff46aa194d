/** One case as an example: the request as it goes over the wire, and the answer that the tests expect. */
import { readCases, expand } from '../../tests/support/case-file.ts';

export function exampleSection(name: string): string {
  const one = readCases().find((candidate) => candidate.name === name);
  if (!one) throw new Error(`there is no case ${name}`);
  const { request, expected } = one;
  const answer = expected.body === undefined ? '' : `\n\n${block(expected.body)}`;
  return `${block(request.body)}\n\nAnswer: ${expected.status}${answer}`;
}

const block = (value: unknown): string => `\`\`\`json\n${JSON.stringify(expand(value), null, 2)}\n\`\`\``;
