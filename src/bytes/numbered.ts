/** Keys that get a number when they first occur, and a value for each; where no other is given, it is the key. */
export class Numbered<Key, Value = Key> {
  /** Values by number. */
  readonly list: Value[] = [];
  private readonly numbers = new Map<Key, number>();

  /** With a key that has number 0. */
  constructor(first?: Key, value?: Value) {
    if (first !== undefined) this.of(first, () => value ?? (first as unknown as Value));
  }

  of(this: Numbered<Key, Key>, key: Key): number;
  of(key: Key, make: () => Value): number;
  of(key: Key, make?: () => Value): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.list.length);
    return this.list.push(make === undefined ? (key as unknown as Value) : make()) - 1;
  }

  /** -1 for a key that has no number. */
  find(key: Key): number {
    return this.numbers.get(key) ?? -1;
  }
}
