/** The ports of the bid endpoint and of the admin server must not be the same. */
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/config/config.ts';

describe('the ports', () => {
  test.each([
    ['the same port on the same host', { HOST: '127.0.0.1' }, true],
    ['the same port on all addresses', {}, true],
    ['the same port on all addresses of the admin server', { HOST: '127.0.0.1', ADMIN_HOST: '::' }, true],
    ['the same port on different addresses', { HOST: '10.0.0.1' }, false],
    ['any free port', { HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0' }, false],
  ])('%s', (_name, variables, isProblem) => {
    const read = () => readConfig({ PORT: '8080', ADMIN_PORT: '8080', ...variables });
    const problem = expect.objectContaining({ problems: ['ADMIN_PORT must differ from PORT; both are 8080'] });
    if (isProblem) expect(read).toThrow(problem);
    else expect(read).not.toThrow();
  });
});
