/**
 * The parent of elements that lie over the page: its body, or the part of an embedding page that has their styles and
 * their theme.
 */
export function overlaysOf(element: Element): Element {
  return element.closest("[data-overlays]") ?? element.ownerDocument.body;
}
