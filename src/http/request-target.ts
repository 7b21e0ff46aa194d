/** Reduces the target of a request to a path that Express can route. */

interface Targeted {
  url?: string | undefined;
  /** The target as received. Express sets it, too, unless it is present. */
  originalUrl?: string;
}

/** A path without the characters for which Express would call Node's legacy URL parser, which may throw. */
const path = /^\/[^\s#\u00a0\ufeff]*$/;
/** The absolute form that proxies use. A user name in it is an error by RFC 9110, section 4.2.4. */
const absoluteForm = /^https?:\/\/[\w.:[\]-]+(?=[/?]|$)/i;
/** Express finds nothing there, so the response is 404. */
const notFound = '/';

export function setRoutableTarget(request: Targeted): void {
  const target = request.url ?? notFound;
  if (path.test(target)) return;
  request.originalUrl = target;
  const [origin] = absoluteForm.exec(target) ?? [];
  const rest = origin === undefined ? notFound : target.slice(origin.length);
  request.url = path.test(rest) ? rest : notFound;
}
