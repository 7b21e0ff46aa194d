/** Complete HTTP requests as bytes, so that sending one costs the generators a write. */

export const post = (body: string | Buffer, headers: readonly string[] = []): Buffer =>
  Buffer.concat([postHead([`Content-Length: ${Buffer.byteLength(body)}`, ...headers]), Buffer.from(body)]);

/** The head of a bid request; `headers` must tell the length of the body. */
export const postHead = (headers: readonly string[], path = '/openrtb2'): Buffer =>
  head(`POST ${path} HTTP/1.1`, ['Host: exchange.test', 'Content-Type: application/json', ...headers]);

export const head = (requestLine: string, headers: readonly string[]): Buffer =>
  Buffer.from([requestLine, ...headers, '', ''].join('\r\n'), 'latin1');
