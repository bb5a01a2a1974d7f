import { expect, it } from "vitest";
import { askedTrace } from "../query/written/linked-trace.ts";
import { hashToQuery } from "../query/written/query-hash.ts";
import { deepLinks } from "./deep-links.ts";

it("templates name the recording, and with an id filled in they open its request", () => {
  const links = deepLinks("https://spanflame.example/", "https://ci/a b.jfr?x=1");
  expect(links.map(({ tool }) => tool)).toEqual(["Any tool", "Grafana", "Datadog"]);
  for (const { template } of links) {
    const filled = template
      .replace("TRACE_ID", "4bf92f3577b34da6a3ce929d0e0e4736")
      .replace("SPAN_ID", "3b2f")
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as in Grafana
      .replace("${__value.raw}", "3b2f")
      .replace("{{span_id.value}}", "15151");
    const url = new URL(filled);
    expect(url.searchParams.get("url")).toBe("https://ci/a b.jfr?x=1");
    const asked = askedTrace(url.hash);
    if (asked === null) expect(hashToQuery(url.hash).filter.localRoot).toEqual([0x3b2fn]);
    else expect([asked.span?.ids[0], asked.trace?.trace]).toEqual([0x3b2fn, 0x4bf92f3577b34da6a3ce929d0e0e4736n]);
  }
});
