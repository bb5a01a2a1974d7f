/** The names of all frames, read once, and which of them a pattern finds. */
import { SpanflameError } from "./error.ts";

/** Of a longer name only the beginning is looked at: a pattern may take time that grows with the name. */
const LOOKED_AT = 2000;

/** A pattern as a regular expression: capitals matter once there is one, or where it is for a whole name. */
export function expressionOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, /\p{Lu}|^\^.*\$$/u.test(pattern) ? "" : "i");
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /, "") : String(error);
    throw new SpanflameError("filter.pattern", `/${pattern}/ is no regular expression: ${reason}`);
  }
}

export class FunctionNames {
  private readonly texts: string[] = [];
  private readonly ids: number[] = [];
  /** What the last pattern found: filter and search often ask for the same. */
  private last = { pattern: "", of: 0, found: new Uint32Array() };
  /** Of so many names the place of each id among them. */
  private places = { of: 0, byId: new Map<number, number>() };

  get count(): number {
    return this.ids.length;
  }

  add(id: number, text: string): void {
    this.ids.push(id);
    this.texts.push(text.slice(0, LOOKED_AT));
  }

  forget(): void {
    this.ids.length = 0;
    this.texts.length = 0;
    this.places = { of: 0, byId: new Map() };
    this.last = { pattern: "", of: 0, found: new Uint32Array() };
  }

  /** Ids of the names that a pattern finds. */
  matching(pattern: string): Uint32Array {
    if (this.last.of === this.count && this.last.pattern === pattern) return this.last.found;
    const expression = expressionOf(pattern);
    const found = Uint32Array.from(this.ids.filter((_, i) => expression.test(this.texts[i] ?? "")));
    this.last = { pattern, of: this.count, found };
    return found;
  }

  /** By id its place among all names, from 1 on, as texts are compared: A before a. */
  alphabet(): ReadonlyMap<number, number> {
    if (this.places.of !== this.count) {
      const { ids, texts } = this;
      const order = Array.from(ids.keys()).sort((a, b) => (texts[a]! < texts[b]! ? -1 : Number(texts[a]! > texts[b]!)));
      this.places = { of: this.count, byId: new Map(order.map((i, place) => [ids[i]!, place + 1])) };
    }
    return this.places.byId;
  }
}
