/** Remembers what a text was decoded to: consent strings come back, of one user and of users who chose alike. */

/** Together they bound the memory: at most some 10 MB for each kind of string. */
const mostRemembered = 5_000;
const longestRemembered = 2_000;

export function remembering<Decoded extends string | object>(
  decode: (text: string) => Decoded,
): (text: string) => Decoded {
  const known = new Map<string, Decoded>();
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const decoded = decode(text);
    if (text.length <= longestRemembered) {
      if (known.size >= mostRemembered) known.clear();
      known.set(text, decoded);
    }
    return decoded;
  };
}
