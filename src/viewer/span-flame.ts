/**
 * The custom element `<span-flame>`, defined when this module is loaded, with everything that it needs inside:
 *
 *   <script type="module" src="…/element.js"></script>
 *   <span-flame src="checkout.jfr" type="cpu"></span-flame>
 */
import { defineSpanFlame } from "./element.ts";

export { SpanFlameElement, type SpanFlameEvent } from "./element.ts";
export { setWorkerUrl } from "./start-worker.ts";
export type * from "./types.ts";

defineSpanFlame();
