/** The shadow root of an element, with our styles. */
import { adoptStyles } from "./styles.ts";

export function shadowOf(host: Element): ShadowRoot {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  adoptStyles(root);
  return root;
}
