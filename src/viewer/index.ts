/**
 * The flame graph for pages of others: a React component and the custom element `<span-flame>`, both drawn by the React
 * of the page (a peer dependency). `spanflame/viewer/element` is the element with everything inside.
 *
 *   <FlameGraph src="checkout.jfr" type="cpu" onSelect={({ name }) => …} />
 */
export { defineSpanFlame, SpanFlameElement, type SpanFlameEvent } from "./element.ts";
export { FlameGraph, type FlameGraphProps } from "./FlameGraph.tsx";
export { setWorkerUrl } from "./start-worker.ts";
export type * from "./types.ts";
