/** Tests that need a tool which cannot be installed everywhere. */
import { describe } from '@jest/globals';

/** `describe` if the tool is there. Otherwise the tests are skipped; with REQUIRE_ and the name of the tool in the environment, they fail. */
export function describeWith(tool: string, isThere: boolean, name: string, body: () => void): void {
  if (isThere) return describe(name, body);
  if (process.env[`REQUIRE_${tool.toUpperCase()}`])
    throw new Error(`${tool} was not found on the PATH; tests/support/install-${tool.toLowerCase()} installs it`);
  process.stderr.write(`NOT RUN: tests "${name}", because there is no ${tool}\n`);
  describe.skip(name, body);
}
