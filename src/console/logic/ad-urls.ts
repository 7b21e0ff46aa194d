/** Decides which URLs of an ad the console may link to or load. */

/** The URL if its scheme is http or https; otherwise undefined. */
export const linkUrl = (text: string): string | undefined => withScheme(text, ['https:', 'http:']);

/** The URL if its scheme is https: the content security policy permits no other image. */
export const imageUrl = (text: string): string | undefined => withScheme(text, ['https:']);

function withScheme(text: string, schemes: string[]): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return schemes.includes(protocol) ? href : undefined;
}
