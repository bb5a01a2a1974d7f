/** The parent of elements that lie over the page: inside a shadow root its styles apply to them. */
export function overlaysOf(element: Element): ParentNode & Node {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root : element.ownerDocument.body;
}
