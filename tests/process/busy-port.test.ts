/** A port that another process uses ends the start with one line that names the address. */
import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { spawnGavel } from '../support/start-gavel.ts';

let other: Server | undefined;
afterEach(() => {
  other?.close();
});

async function outputOf(variables: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawnGavel(variables);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

test.each(['PORT', 'ADMIN_PORT'])('%s in use: one line, exit code 1', async (variable) => {
  other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(await outputOf({ [variable]: String(port), WORKERS: '2' })).toEqual({
    code: 1,
    output: `gavel: cannot listen on 127.0.0.1 port ${port} (${variable}): the port is in use by another process (EADDRINUSE)\n`,
  });
});

test('an address of another machine: one line, exit code 1', async () => {
  expect(await outputOf({ HOST: '192.0.2.1', WORKERS: '1' })).toEqual({
    code: 1,
    output:
      'gavel: cannot listen on 192.0.2.1 port 0 (PORT): the address does not belong to this machine (EADDRNOTAVAIL)\n',
  });
});
