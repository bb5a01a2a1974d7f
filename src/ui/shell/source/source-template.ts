/** The user's template for links to the source: kept by the browser, and nowhere else. */

import type { SourcePlace } from "../../../model/flame/source-place.ts";
import { sourceLink } from "../../../model/words/source-links.ts";
import { storage } from "../../primitives/panes/use-stored.ts";

const KEY = "source-link";

/** "" where none is set. */
export function sourceTemplate(): string {
  return storage.getItem(KEY) ?? "";
}

export function setSourceTemplate(template: string): void {
  storage.setItem(KEY, template);
}

/** Opens the source in another tab, or in the editor that the scheme belongs to; false without a usable template. */
export function openSource({ path, line }: SourcePlace): boolean {
  const href = sourceLink(sourceTemplate(), path, line);
  if (href === null) return false;
  const link = document.createElement("a");
  link.href = href;
  link.rel = "noopener noreferrer";
  if (/^https?:/.test(href)) link.target = "_blank";
  link.click();
  return true;
}
