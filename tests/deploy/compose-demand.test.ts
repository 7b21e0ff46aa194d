/** The partners file of docker-compose.yml matches the sandbox demand. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readPartnersFile } from '../../src/config/partners-file.ts';
import { buildPartnersFile } from '../../src/sandbox/partners-file.ts';

const path = fileURLToPath(new URL('../../deploy/demand/partners.json', import.meta.url));

test('the partners file is valid', () => {
  expect(readPartnersFile(path)).not.toHaveProperty('problems');
});

test('it equals the partners that the sandbox prints for its address in the container network', () => {
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(buildPartnersFile('http://sandbox:7000')));
});
