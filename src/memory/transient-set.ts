/** A set of objects that come and go all the time, without what a Set of V8 may keep of them (see transient-map.ts). */
import { perObject } from './per-object.ts';

interface Box<Item> {
  item: Item | undefined;
}

export class TransientSet<Item extends object> {
  readonly #boxes = new Set<Box<Item>>();
  readonly #boxOf = perObject((_item: Item): Box<Item> => ({ item: undefined }));

  get size(): number {
    return this.#boxes.size;
  }

  /** The item that was added first. */
  get oldest(): Item | undefined {
    for (const { item } of this.#boxes) return item;
    return undefined;
  }

  add(item: Item): void {
    const box = this.#boxOf(item);
    box.item = item;
    this.#boxes.add(box);
  }

  /** Returns whether it was in the set. An item that never was gets no box. */
  delete(item: Item): boolean {
    const box = this.#boxOf.find(item);
    if (!box) return false;
    box.item = undefined;
    return this.#boxes.delete(box);
  }
}
