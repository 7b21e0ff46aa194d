/** Load goes to this machine and nowhere else. */

const loopback = /^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/** Throws where the address, without a path, is not of this machine. */
export function onlyLoopback(url: string): string {
  const origin = url.replace(/\/+$/, '');
  if (!loopback.test(origin))
    throw new Error(`${url} is not an http address of this machine, such as http://127.0.0.1:8080`);
  return origin;
}
