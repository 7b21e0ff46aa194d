/** Restricts load tests to this machine. */

const loopback = /^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/** Returns the URL without trailing slashes; throws if it is not a loopback address without a path. */
export function requireLoopback(url: string): string {
  const origin = url.replace(/\/+$/, '');
  if (!loopback.test(origin))
    throw new Error(`TARGET_URL must be a loopback origin such as http://127.0.0.1:8080; got ${url}`);
  return origin;
}
