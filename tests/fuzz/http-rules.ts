/** What the exchange must respond to a request whose head is beyond doubt: a model of the rules, not of the server. */

const requestLine = /^([A-Z]+) ([!-~]+) HTTP\/(\d)\.(\d)$/;
const plainHeader = /^[A-Za-z][A-Za-z-]*:[\t !-~]*$/;
/** Node's own limit is 16 KiB for the head as a whole. */
const maxPlainHead = 8 * 1024;
/** Methods that the parser knows; another one is a malformed request. */
const knownMethods = ['POST', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'CONNECT', 'TRACE', 'PATCH'];
/** A path, a URI or an asterisk. Other targets are not HTTP: the parser rejects some of them with 400. */
const uriTarget = /^(?:\/|[A-Za-z]+:\/\/[\w.%@$-]+(?:\/|$)|\*$)[\w.~:/?@!$&'()*+,;=%-]*$/;
const authority = /^[\w.-]+:\d+$/;
/** Headers that decide about the framing of the message or the connection: another one of them is not beyond doubt. */
const doubtful = ['content-length', 'transfer-encoding', 'connection', 'upgrade', 'x-forwarded-for', 'te'];

/** The statuses that the first response may have; undefined if the head is not beyond doubt or its body decides. */
export function expectedStatuses(sent: string): number[] | undefined {
  const end = sent.indexOf('\r\n\r\n');
  if (end === -1 || end > maxPlainHead) return undefined;
  const [first = '', ...lines] = sent.slice(0, end).split('\r\n');
  const [, method = '', target = '', major, minor] = requestLine.exec(first) ?? [];
  if (!knownMethods.includes(method) || !lines.every((line) => plainHeader.test(line))) return undefined;
  const headers = lines.map(
    (line) => [line.split(':')[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const,
  );
  const named = (name: string) => headers.filter((header) => header[0] === name).map(([, value]) => value);
  if (doubtful.some((name) => named(name).length > (name === 'content-length' ? 1 : 0))) return undefined;
  if (named('expect').length > 1 || named('expect').includes('')) return undefined;
  if (!named('content-length').every((length) => /^\d{1,6}$/.test(length))) return undefined;

  const expected: number[] = [];
  if (`${major}.${minor}` !== '1.1' && `${major}.${minor}` !== '1.0') expected.push(400);
  if (named('host').length > 1) expected.push(400);
  const [expectation] = named('expect');
  if (expectation !== undefined && expectation.toLowerCase() !== '100-continue') expected.push(417);
  if (method === 'CONNECT' && !authority.test(target)) expected.push(400);
  if (method === 'CONNECT' || (method !== 'POST' && target === '/openrtb2')) expected.push(405);
  else if (!/openrtb2/i.test(target) || (expected.length > 0 && target !== '/openrtb2'))
    expected.push(404, ...(uriTarget.test(target) ? [] : [400]));
  return expected.length === 0 ? undefined : expected;
}
