/**
 * The flame graph for pages of others: a React component, and the custom element `<span-flame>`, which is defined when
 * this module is loaded. The React of the page draws both. `spanflame/viewer/element` is the element with everything
 * inside.
 *
 *   <FlameGraph src="checkout.jfr" type="cpu" onSelect={({ name }) => …} />
 */
import { defineSpanFlame } from "./element.ts";

export { SpanFlameElement, type SpanFlameEvent } from "./element.ts";
export { FlameGraph, type FlameGraphProps, type SpanFlameProps } from "./FlameGraph.tsx";
export { setWorkerUrl } from "./start-worker.ts";
export type * from "./types.ts";

defineSpanFlame();
