/**
 * Escaping of a recording's texts in markup. All texts have been through `visible()`, which spells out invisible
 * characters.
 */

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }),
);

/**
 * For HTML and XML, between tags and in quoted attributes. XML knows no lone surrogates and neither U+FFFE nor U+FFFF.
 */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (c) => ENTITIES.get(c) ?? "").replace(/[\p{Cs}\ufffe\uffff]/gu, "\ufffd");
}

/** Characters that end or begin a script element, and invisible ones, which could mislead a reader of the source. */
const UNSAFE = /[<>&\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** JSON for a script element. Lone surrogates and control characters below U+007F are escaped by JSON itself. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Entries of a list that are written at a time. */
const SLICE = 2000;

/** The same for a large record, in parts, so that a writer on a page's main thread can pause between them. */
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
