/** The shadow root of an element, with our styles. */
import "../ui/primitives/theme/tokens.css";
import "../ui/primitives/theme/base.css";
import text from "virtual:viewer-styles";

export function shadowOf(host: Element): ShadowRoot {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  adoptStyles(root);
  return root;
}

let sheet: CSSStyleSheet | null = null;

/** A constructed sheet is no inline style, which a strict policy refuses. */
function adoptStyles(root: ShadowRoot): void {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
  }
  root.adoptedStyleSheets = [sheet];
}
