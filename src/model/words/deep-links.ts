/** Links from tracing tools to a request in a recording: templates that those tools fill in. */

export interface DeepLink {
  tool: string;
  /** Where the template goes. */
  where: string;
  template: string;
}

/** In place of the recording's address, where it is not known. */
export const RECORDING = "https://HOST/FILE.jfr";

/** `page` without query and hash; `recording` is an address that the page can fetch. */
export function deepLinks(page: string, recording: string): DeepLink[] {
  // Tools replace the braces: only the recording's address is encoded.
  const opened = `${page}?url=${encodeURIComponent(recording)}`;
  const to = (id: string) => `${opened}#root=${id}`;
  return [
    {
      tool: "Any tool",
      where: "The ids of the trace and of the service's entry span. Without their samples it opens the minute around.",
      template: `${opened}#trace=TRACE_ID&span=0xSPAN_ID&around=1m`,
    },
    {
      tool: "Grafana",
      where: "Data link of a column with span ids.",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana fills it in
      template: to("0x${__value.raw}"),
    },
    {
      tool: "Datadog",
      where: "Context link of a widget that is grouped by span_id.",
      template: to("{{span_id.value}}"),
    },
  ];
}
