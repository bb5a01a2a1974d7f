/** What the browser tests know about each view: a row for each. view-lists.ts makes lists from the rows. */
import { readFileSync } from "node:fs";
import { zipSync } from "fflate";
import type { ViewName } from "../../src/model/query/query.ts";
import { asFolder, writeStreams } from "../../test/kit/cdt/cdt-writer.ts";
import type { Dropped } from "./page.ts";

interface ViewFacts {
  /** What has the view: every recording with times and spans, or the files of one name only. */
  of: "recordings" | keyof typeof FILES;
  /** A CSS selector: an element that is visible when the selection has samples. */
  shows: string;
  /** It shows frames with their weight: the search counts those that it finds, and without weight there are none. */
  frames: boolean;
  /** The picture of it below docs/; null: there is none. */
  picture: string | null;
}

const traces = (name: string): Dropped => ({
  name,
  bytes: readFileSync(new URL(`../../fixtures/traces/${name}`, import.meta.url)),
});

/** A dump of two calls. */
function dump(): Dropped {
  const start = Date.UTC(2024, 1, 3);
  const child = { method: "void shop.Cart.read() (Cart.java:9) [shop.jar]", before: 0, after: 20, children: [] };
  const root = { method: "void shop.Cart.run() (Cart.java:7) [shop.jar]", before: 0, after: 30, children: [child] };
  const calls = [1, 2].map((threadId) => ({
    threadId,
    thread: `http-${threadId}`,
    at: start + 1000 * threadId,
    root,
    isRecorded: true,
    reactive: 0,
    params: { "profiler.title": [`GET /cart/${threadId}`] },
  }));
  const { streams } = writeStreams({ calls, start, eventsPerBlock: 100, blocksPerFile: 500 });
  return { name: "dump.zip", bytes: zipSync(asFolder(streams, "dump/web/2024/02/03/1706918400000")) };
}

/** Files that together have every view; a recording with a trace has those of all recordings. */
export const FILES = {
  trace: [
    "a recording with a trace",
    () => [traces("ddctx-jdk17.jfr"), traces("ddctx-jdk17.captured.datadog.json.gz")],
  ],
  dump: ["a dump", () => [dump()]],
} satisfies Record<string, [name: string, files: () => Dropped[]]>;

const byId = (id: string) => `[data-testid=${id}]`;

export const VIEW_FACTS: Record<ViewName, ViewFacts> = {
  calls: { of: "dump", shows: byId("calls-row"), frames: false, picture: "tour/calls.png" },
  overview: { of: "recordings", shows: byId("why-headline"), frames: false, picture: "tour/overview.png" },
  trace: { of: "trace", shows: byId("traces-row"), frames: false, picture: "tour/trace.png" },
  operations: { of: "recordings", shows: byId("operations"), frames: false, picture: null },
  flame: { of: "recordings", shows: `${byId("flame")} g.frame`, frames: true, picture: "screenshot.png" },
  // Of many samples it asks for a selection.
  chart: {
    of: "recordings",
    shows: `${byId("chart")}, ${byId("chart-ask")}`,
    frames: false,
    picture: "tour/chart.png",
  },
  events: { of: "recordings", shows: byId("event-types-row"), frames: false, picture: null },
  sandwich: { of: "recordings", shows: byId("callees-of"), frames: true, picture: "tour/sandwich.png" },
  top: { of: "recordings", shows: byId("top-row"), frames: true, picture: "tour/top.png" },
  tree: { of: "recordings", shows: byId("tree-row"), frames: true, picture: "tour/tree.png" },
  diff: { of: "recordings", shows: byId("diff-own"), frames: true, picture: "tour/diff.png" },
};
