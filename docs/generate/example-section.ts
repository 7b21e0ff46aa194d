/** Renders a test case as an example: the request body and the expected response. */
import { expand, readCases } from '../../tests/support/case-file.ts';

export function exampleSection(name: string): string {
  const found = readCases().find((one) => one.name === name);
  if (!found) throw new Error(`there is no case ${name}`);
  const { request, expected } = found;
  const responseBody = expected.body === undefined ? '' : `\n\n${jsonBlock(expected.body)}`;
  return `${jsonBlock(request.body)}\n\nResponse: ${expected.status}${responseBody}`;
}

const jsonBlock = (value: unknown): string => `\`\`\`json\n${JSON.stringify(expand(value), null, 2)}\n\`\`\``;
