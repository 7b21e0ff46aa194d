/** First in, first out; taking one costs the same however many there are. */
export class Queue<Item> {
  #items: Item[] = [];
  #taken = 0;

  get length(): number {
    return this.#items.length - this.#taken;
  }

  get first(): Item | undefined {
    return this.#items[this.#taken];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    const item = this.first;
    if (item === undefined) return undefined;
    this.#taken++;
    if (this.#taken * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#taken);
      this.#taken = 0;
    }
    return item;
  }
}
