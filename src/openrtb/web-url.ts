/** Checks the scheme of URLs in markup. One pass, no URL parser: a bid has dozens of them. */

/** Maximum length of a URL in a bid. */
export const maxWebUrlLength = 4_096;

/**
 * User information, then a host. A control character, a blank or a backslash up to the end of the host is refused, and
 * control characters are refused everywhere: browsers remove or replace them, so that another URL would be opened.
 */
const web =
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  /^[hH][tT][tT][pP]([sS]?):\/\/(?:[^/?#\\<>"^`{|}\0-\x20\x7f]*@)?[^/?#\\<>"^`{|}@:\0-\x20\x7f][^/?#\\<>"^`{|}@\0-\x20\x7f]*(?:[/?#][^\0-\x1f\x7f]*)?$/;

/** An absolute URL with the scheme `http` or `https`, in any case, and a host. */
export const isWebUrl = (value: unknown): value is string => typeof value === 'string' && web.test(value);

export const isHttpsUrl = (value: unknown): value is string => isWebUrl(value) && isHttps(value);

/** Only for a web URL. */
export const isHttps = (url: string): boolean => url.charCodeAt(4) !== colon;
const colon = 0x3a;

// eslint-disable-next-line no-control-regex -- as above
const custom = /^([a-zA-Z][a-zA-Z0-9+.-]*):[^\0-\x20\x7f][^\0-\x1f\x7f]*$/;

/** Web schemes have a form of their own; the others run scripts, or show content that is not the advertiser's. */
const notCustom = new Set(['http', 'https', 'javascript', 'data', 'vbscript', 'file', 'blob', 'about']);

/** A URL that an app opens in another app, such as `market://details?id=1`. */
export function isCustomUrl(value: unknown): value is string {
  const scheme = typeof value === 'string' ? custom.exec(value)?.[1] : undefined;
  return scheme !== undefined && !notCustom.has(scheme.toLowerCase());
}
