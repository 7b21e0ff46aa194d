/**
 * A map for entries that come and go all the time. A Map of V8 copies its entries to a new table once in a while. If the old table has grown old,
 * V8 keeps what was in it, and the new table, and so on, until it collects the whole heap (decision 36). Here that is a box per entry, which is empty once the entry
 * is deleted.
 */
export class TransientMap<Key extends string | number, Value extends object> {
  readonly #boxes = new Map<Key, { value: Value | undefined }>();

  get size(): number {
    return this.#boxes.size;
  }

  get(key: Key): Value | undefined {
    return this.#boxes.get(key)?.value;
  }

  set(key: Key, value: Value): void {
    const box = this.#boxes.get(key);
    if (box) box.value = value;
    else this.#boxes.set(key, { value });
  }

  /** Returns whether there was an entry. */
  delete(key: Key): boolean {
    const box = this.#boxes.get(key);
    if (!box) return false;
    box.value = undefined;
    return this.#boxes.delete(key);
  }
}
