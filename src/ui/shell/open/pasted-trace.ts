/** Whether a pasted text is a trace: JSON of spans, and not an id or a line of a log that contains one. */
const OTLP = /"(?:resource_?spans|scope_?spans|instrumentation_?library_?spans)"\s*:/i;
const JAEGER = /"processes"\s*:/;
const SPANS = /"(?:trace|span)_?id"\s*:/i;
const LENGTH = /"duration"\s*:/;

export function isPastedTrace(text: string): boolean {
  const [, first] = /^\ufeff?\s*([[{])/.exec(text) ?? [];
  if (first === undefined) return false;
  // Zipkin and Datadog have a list of spans, each with its duration.
  return OTLP.test(text) || (SPANS.test(text) && LENGTH.test(text) && (first === "[" || JAEGER.test(text)));
}

/** The fields for which a pasted trace is no text: the search box takes ids only. */
export function takesText(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("input:not([role=combobox]), textarea, select");
}
