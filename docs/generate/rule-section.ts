/** Renders an example of a rule: a sentence, the request, and the response as far as the case shows it. */
import { type Case, expand, readCases } from '../../tests/support/case-file.ts';

export function ruleSection(name: string): string {
  const { description, request, expected } = findCase(`examples/rules/${name}`);
  return `${description}\n\n${jsonBlock(request.body)}\n\nResponse: ${expected.status}\n\n${jsonBlock(expected.body)}`;
}

/** Renders the request of a caller and what a partner receives of it. */
export function partnerRequestSection(name: string): string {
  const { description, request, expected } = findCase(name);
  return `${description}\n\n${jsonBlock(request.body)}\n\nThe partner receives:\n\n${jsonBlock(expected.partnerRequest)}`;
}

/** What a partner receives. */
export const partnerRequestBody = (name: string): string => jsonBlock(findCase(name).expected.partnerRequest);

function findCase(name: string): Case {
  const found = readCases().find((one) => one.name === name);
  if (!found) throw new Error(`there is no case ${name}`);
  return found;
}

/** On one line: the formatter then breaks only the lines that are too long. */
const jsonBlock = (value: unknown): string => `\`\`\`json\n${JSON.stringify(expand(value))}\n\`\`\``;
