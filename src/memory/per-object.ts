/** What is computed once per object and ends with it. */

/** Returns the object that it is given, so that a subclass adds its private field to that one. */
const Given = function (object: object) {
  return object;
} as unknown as new (object: object) => object;

export interface PerObject<Key, Value> {
  (key: Key): Value;
  /** Undefined if the value has not been computed. */
  find(key: Key): Value | undefined;
}

/**
 * No copy of the object has the value, and nobody else sees it. Not a WeakMap: of a value that refers to its object, one
 * that lives long keeps both until V8 collects the whole heap (decision 36).
 */
export function perObject<Key extends object, Value>(compute: (key: Key) => Value): PerObject<Key, Value> {
  class Holder extends Given {
    readonly #value: Value;

    constructor(key: Key) {
      // First, so that an object whose computation fails gets no field.
      const value = compute(key);
      super(key);
      this.#value = value;
    }

    static of(key: Key): Value {
      const holder = #value in key ? key : new Holder(key);
      return holder.#value;
    }

    static find(key: Key): Value | undefined {
      return #value in key ? key.#value : undefined;
    }
  }
  return Object.assign((key: Key) => Holder.of(key), { find: (key: Key) => Holder.find(key) });
}
