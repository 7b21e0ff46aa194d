/** Renders an example of a rule: a sentence, the request, and the response as far as the case shows it. */
import { expand, readCases } from '../../tests/support/case-file.ts';

const folder = 'examples/rules/';

export function ruleSection(name: string): string {
  const found = readCases().find((one) => one.name === folder + name);
  if (!found) throw new Error(`there is no case ${folder}${name}`);
  const { description, request, expected } = found;
  return `${description}\n\n${jsonBlock(request.body)}\n\nResponse: ${expected.status}\n\n${jsonBlock(expected.body)}`;
}

/** On one line: the formatter then breaks only the lines that are too long. */
const jsonBlock = (value: unknown): string => `\`\`\`json\n${JSON.stringify(expand(value))}\n\`\`\``;
