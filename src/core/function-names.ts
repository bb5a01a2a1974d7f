/** The names of all frames, read once, and which of them a pattern finds. */
import { LOOKED_AT, type Work } from "../pattern/pattern.ts";
import { foundBy } from "./find-texts.ts";
import { classesOf } from "./stack-rules.ts";
import type { StackRule } from "./view-types.ts";

export class FunctionNames {
  private readonly texts: string[] = [];
  private readonly ids: number[] = [];
  /** What the last pattern found: filter and search often ask for the same. */
  private last = { pattern: "", of: 0, found: new Uint32Array() };
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
    this.last = { pattern: "", of: 0, found: new Uint32Array() };
  }

  /** Ids of the names that a pattern finds. */
  matching(pattern: string, work?: Work): Uint32Array {
    if (this.last.of === this.ids.length && this.last.pattern === pattern) return this.last.found;
    const passes = foundBy(pattern, this.texts, work);
    const found = Uint32Array.from(this.ids.filter((_, i) => passes[i]));
    this.last = { pattern, of: this.ids.length, found };
    return found;
  }

  /** Ids of the names that a function accepts; asked once about each name. */
  accepted(by: (name: string) => boolean): Uint32Array {
    return this.once(by, () => Uint32Array.from(this.ids.filter((_, i) => by(this.texts[i]!))));
  }

  /** The classes of all names under these rules; made once. */
  classes(rules: readonly StackRule[]): ReturnType<typeof classesOf> {
    return this.once(rules, () => classesOf(rules, this.texts, this.ids));
  }

  /** What was made of all names for `key`, until there are more. */
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
}
