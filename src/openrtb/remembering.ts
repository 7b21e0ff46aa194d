/** Remembers what a text was decoded to: the texts of one placement come back, and those of users who chose alike. */

/** Together they bound the memory. */
export interface MemoryLimits {
  most: number;
  /** In UTF-16 units; longer texts are decoded every time. */
  longest: number;
}

export function remembering<Decoded extends string | object>(
  { most, longest }: MemoryLimits,
  decode: (text: string) => Decoded,
): (text: string) => Decoded {
  const known = new Map<string, Decoded>();
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const decoded = decode(text);
    if (text.length <= longest) {
      if (known.size >= most) known.clear();
      known.set(text, decoded);
    }
    return decoded;
  };
}
