/** The style sheet of all elements on a page: made once, adopted by each shadow root. */
import "../ui/primitives/theme/tokens.css";
import "../ui/primitives/theme/base.css";
import text from "virtual:viewer-styles";

let sheet: CSSStyleSheet | null = null;

/** A constructed sheet is no inline style, which a strict policy refuses. */
export function adoptStyles(root: ShadowRoot): void {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
  }
  root.adoptedStyleSheets = [sheet];
}
