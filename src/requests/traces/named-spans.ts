/** The spans that samples carry, named as tracers name them: a local root by its endpoint, a span by its operation. */
import { type SampledSpan, sampledSpans } from "../../core/samples/sampled-spans.ts";
import type { Spans } from "../../core/samples/spans.ts";
import type { HeldCore } from "../held-core.ts";
import { labels } from "./root-points.ts";

export function namedSpans(held: HeldCore, table: Spans): SampledSpan[] {
  held.about(null, {});
  const { core } = held;
  const spans = sampledSpans(core.instance, table);
  const samples = Uint32Array.from(spans, ({ sample }) => sample);
  const [ofSpan, ofRoot] = [labels(core, samples, ["operation"]), labels(core, samples, ["endpoint", "operation"])];
  const names = new Map<number, number>([[0, 0]]);
  for (const [i, span] of spans.entries()) {
    const attribute = span.id === span.root ? ofRoot(i) : ofSpan(i);
    span.name = names.get(attribute) ?? table.text(core.instance.label(attribute));
    names.set(attribute, span.name);
  }
  return spans;
}
