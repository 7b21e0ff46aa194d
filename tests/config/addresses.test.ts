/** The addresses of the bid endpoint and of the admin server. */
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

describe('HOST and ADMIN_HOST', () => {
  test.each(['0.0.0.0', '::', 'fe80::1%eth0', 'localhost', 'exchange-1.internal.', 'node_7', '1st.example'])(
    'accept %s',
    (value) => {
      expect(readConfig({ HOST: value }).endpoint.host).toBe(value);
    },
  );

  test.each(['999.1.1.1', '127.1', '7', 'a b', 'http://localhost', '[::1]', 'localhost:80', '.', 'a..b'])(
    'reject %s, with all other problems',
    (value) => {
      const problems = [
        'HOST must be an IP address or a host name',
        'ADMIN_HOST must be an IP address or a host name',
        expect.stringContaining('WORKERS'),
      ];
      const read = () => readConfig({ HOST: value, ADMIN_HOST: value, WORKERS: '0' });
      expect(read).toThrow(expect.objectContaining({ problems }));
    },
  );
});
