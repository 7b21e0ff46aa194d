/** The URL by which a server that listens on `host` can be reached from this machine. */
export const urlOf = (host: string, port: number): string => `http://${connectableHost(host)}:${port}`;

/** Replaces a wildcard address by the loopback address, and puts an IPv6 address in brackets. */
function connectableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
