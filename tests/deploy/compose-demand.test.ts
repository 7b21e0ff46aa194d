/** The partners file of docker-compose.yml, held to the sandbox that it names. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readPartnersFile } from '../../src/config/partners-file.ts';
import { buildPartnersFile } from '../../src/sandbox/partners-file.ts';

const path = fileURLToPath(new URL('../../deploy/demand/partners.json', import.meta.url));

test('the exchange can use it', () => {
  expect(readPartnersFile(path)).not.toHaveProperty('problems');
});

test('it is what the sandbox would print at its address in the network of the containers', () => {
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(buildPartnersFile('http://sandbox:7000')));
});
