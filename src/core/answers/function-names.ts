/** Search of frame names by a pattern; the names are read once. */
import * as TopRow from "../../../assembly/abi/rows/top-row.ts";
import { LOOKED_AT, type Work } from "../../pattern/pattern.ts";
import type { StackRule } from "../view-types.ts";
import { foundBy } from "./find-texts.ts";
import { classesOf } from "./stack-rules.ts";

const WORDS = TopRow.BYTES / Uint32Array.BYTES_PER_ELEMENT;
const NAME = TopRow.NAME / Uint32Array.BYTES_PER_ELEMENT;
/** Patterns whose names are kept. */
const MOST_PATTERNS = 16;

/** `owner`: whose code it is, if that is known (library-paths.ts). */
export type Accepts = (name: string, owner?: number) => boolean;

export class FunctionNames {
  private readonly texts: string[] = [];
  private readonly ids: number[] = [];
  /** Results of the latest patterns, for so many names: one request often has the same pattern several times. */
  private found = { of: 0, byPattern: new Map<string, Uint32Array>() };
  /** Of so many names the place of each id among them. */
  private places = { of: 0, byId: new Map<number, number>() };

  private made = new WeakMap<object, { of: number; what: unknown }>();

  /** The frames that the names are of, as the core counts (assembly/store/frames.ts). */
  private generation = 0;

  /** Takes in the names that came since the last call, or all again where frames became others. `textOf` reads one. */
  refresh(generation: number, ids: ArrayLike<number>, textOf: (id: number) => string): void {
    if (this.generation !== generation) this.forget();
    this.generation = generation;
    for (let i = this.ids.length; i < ids.length; i++) {
      const id = ids[i]!;
      this.ids.push(id);
      this.texts.push(textOf(id).slice(0, LOOKED_AT));
    }
  }

  forget(): void {
    this.ids.length = 0;
    this.texts.length = 0;
    this.places = { of: 0, byId: new Map() };
    this.made = new WeakMap();
    this.found = { of: 0, byPattern: new Map() };
  }

  /** Ids of the names that a pattern finds. */
  matching(pattern: string, work?: Work): Uint32Array {
    if (this.found.of !== this.ids.length) this.found = { of: this.ids.length, byPattern: new Map() };
    const { byPattern } = this.found;
    const known = byPattern.get(pattern);
    if (known !== undefined) return known;
    const passes = foundBy(pattern, this.texts, work);
    const found = Uint32Array.from(this.ids.filter((_, i) => passes[i]));
    if (byPattern.size === MOST_PATTERNS) byPattern.clear();
    byPattern.set(pattern, found);
    return found;
  }

  /** Ids of the names that a function accepts by name and owner; asked once about each name. */
  accepted(by: Accepts, ownersOf: (ids: readonly number[]) => Uint8Array | null): Uint32Array {
    return this.once(by, () => {
      const owners = ownersOf(this.ids);
      return Uint32Array.from(this.ids.filter((_, i) => by(this.texts[i]!, owners?.[i])));
    });
  }

  /** The classes of all names under these rules; made once. */
  classes(rules: readonly StackRule[]): ReturnType<typeof classesOf> {
    return this.once(rules, () => classesOf(rules, this.texts, this.ids));
  }

  /** The result for `key` over all names, until names are added. */
  private once<T>(key: object, make: () => T): T {
    const kept = this.made.get(key);
    if (kept?.of === this.ids.length) return kept.what as T;
    const what = make();
    this.made.set(key, { of: this.ids.length, what });
    return what;
  }

  /** By id its place among all names, from 1 on, as texts are compared: A before a. */
  alphabet(): ReadonlyMap<number, number> {
    if (this.places.of !== this.ids.length) {
      const { ids, texts } = this;
      const order = Array.from(ids.keys()).sort((a, b) => (texts[a]! < texts[b]! ? -1 : Number(texts[a]! > texts[b]!)));
      this.places = { of: this.ids.length, byId: new Map(order.map((i, place) => [ids[i]!, place + 1])) };
    }
    return this.places.byId;
  }

  /**
   * Numbers of the rows of functions whose name is looked for, in the order of the table or of the names; those of a
   * pattern come last.
   */
  pick(words: Uint32Array, byName: boolean, find: string | undefined, last: string | undefined): Uint32Array {
    const wanted = find === undefined ? null : new Set(this.matching(find));
    const rows: number[] = [];
    for (let i = 0; i < words.length; i += WORDS) if (wanted?.has(words[i + NAME]!) !== false) rows.push(i / WORDS);
    if (!byName) return this.withLast(rows, (row) => words[row * WORDS + NAME]!, last);
    const places = this.alphabet();
    const placeOf = (row: number) => places.get(words[row * WORDS + NAME]!) ?? 0;
    // Numbers instead of records, because sorting with a function takes many times as long: the sort key, and below it
    // the row.
    const keys = Float64Array.from(rows, (row) => placeOf(row) * 2 ** 26 + row).sort();
    return Uint32Array.from(keys, (key) => key % 2 ** 26);
  }

  /** The rows with those behind that have a name of a pattern. */
  withLast(rows: ArrayLike<number>, nameOf: (row: number) => number, last: string | undefined): Uint32Array {
    const behind = new Set(last === undefined ? [] : this.matching(last));
    const all = Array.from(rows);
    if (behind.size === 0) return Uint32Array.from(all);
    const isBehind = (row: number) => behind.has(nameOf(row));
    return Uint32Array.from([...all.filter((row) => !isBehind(row)), ...all.filter(isBehind)]);
  }
}
