/** Texts of recordings on their way into markup. All of them have been through `visible()`, which spells out what is unseen. */

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** For HTML and XML, between tags and in quoted attributes. XML knows no lone surrogates and neither U+FFFE nor U+FFFF. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? "").replace(/[\p{Cs}\ufffe\uffff]/gu, "\ufffd");
}

/**
 * JSON for a script element: with no `<` in it, nothing ends the element or begins another, whatever the names are. Lone
 * surrogates and control characters are escaped by JSON itself.
 */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
