import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Writes a self-signed certificate for this name, such as `DNS:localhost`, and its key into the folder. */
export function createCertificate(
  folder: string,
  name: string,
  keyType: 'ec' | 'rsa' = 'ec',
): { certificate: string; key: string } {
  const certificate = join(folder, 'server.crt');
  const key = join(folder, 'server.key');
  const subject = ['-subj', '/CN=gavel.test', '-addext', `subjectAltName=${name}`];
  const files = ['-keyout', key, '-out', certificate];
  const algorithm = [
    '-newkey',
    ...(keyType === 'ec' ? ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'] : ['rsa:2048']),
  ];
  execFileSync('openssl', ['req', '-x509', '-nodes', '-days', '2', ...algorithm, ...subject, ...files], {
    stdio: 'ignore',
  });
  return { certificate, key };
}
