/** Escaping of a recording's texts in markup. */
import { visibleLines } from "../model/words/text.ts";

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }),
);

/** Most texts have none of the others. */
const PLAIN = /^[\n\x20-\x7e]*$/;

/**
 * For HTML and XML, between tags and in quoted attributes. Characters without a shape are spelled out, but for line
 * breaks; a name has none after `visible()`.
 */
export function escapeText(text: string): string {
  const shown = PLAIN.test(text) ? text : visibleLines(text);
  return shown.replace(/[&<>"']/g, (c) => ENTITIES.get(c) ?? "");
}

/** Characters that end or begin a script element, and unseen ones, which could mislead a reader of the source. */
const UNSAFE = /[<>&\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/** As JSON writes it: above U+FFFF as two. */
function escapedCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** JSON for a script element. Lone surrogates and control characters below U+007F are escaped by JSON itself. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, escapedCharacter);
}

/** Entries of a list that are written at a time. */
const SLICE = 2000;

/** `scriptJson` of a large record in parts, so that a writer on a page's main thread can pause between them. */
export function* scriptJsonParts(record: object): Generator<string> {
  let before = "{";
  for (const [key, value] of Object.entries(record)) {
    yield `${before}${scriptJson(key)}:`;
    before = ",";
    if (!Array.isArray(value)) yield scriptJson(value);
    else {
      for (let at = 0; at === 0 || at < value.length; at += SLICE)
        yield `${at === 0 ? "[" : ","}${scriptJson(value.slice(at, at + SLICE)).slice(1, -1)}`;
      yield "]";
    }
  }
  yield "}";
}
